package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.wire.codec.BatchCodec;

import org.junit.jupiter.api.Test;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Journals that were written once and are kept: `journals/v1`, `v2`, … hold batches as bytes, each
/// after its length. Every one of them must be readable for ever and lead, batch by batch, to the
/// digests recorded in it. A change that breaks this breaks the journals of everybody who upgrades.
///
/// When this fails, mend the change, not the journal: an old field keeps its number, what an old
/// event does to the ledger stays as it was, and something new gets a new field or a new event.
///
/// To keep what is new since, add a version and leave the old ones alone:
///
///     mvn -pl sim -am -Dtest=KeptJournalTest -Djournal.record=v2 …test
///
/// That writes `v2` from a stormy week, never over a file that exists; commit it.
///
/// `v4-pools` is a life of pools on spot capacity before the ledger's rules had versions: what was
/// counted then is counted so for ever, and the rules of `EngineStarted.ledger` mend it since.
final class KeptJournalTest {
    static final Path FOLDER = Path.of("src", "test", "resources", "journals");

    /// What no random life contains.
    private static final List<String> UNTOLD =
            List.of(
                    "NodeRemoved",
                    "TenantRemoved",
                    "PoolLapsed",
                    "ModelCached",
                    "ModelWanted",
                    "ModelUnwanted",
                    "AgentClassRemoved",
                    "CapacityChosen",
                    "SpotSeen",
                    "ForecastPut",
                    "ForecastRemoved",
                    "Observed",
                    "Scored",
                    "RetentionChanged",
                    "LeaseBound",
                    "OrdersDelayed",
                    "Imported");

    @Test
    void everyKeptJournalLeadsWhereItLed() throws IOException {
        String wanted = System.getProperty("journal.record", "");
        if (!wanted.isEmpty()) {
            record(FOLDER.resolve(wanted));
        }
        List<Path> kept = kept();
        assertThat(kept).contains(FOLDER.resolve("v1"));
        for (Path journal : kept) {
            List<byte[]> written = read(journal);
            var codec = new BatchCodec();
            var engine = engine();
            for (byte[] bytes : written) {
                engine.apply(codec.decode(bytes)); // checks the digest
            }
            assertThat(engine.lastBatch()).as("%s", journal).isEqualTo(written.size());
        }
    }

    @Test
    void theKeptJournalsTellOfNearlyEveryKindOfEvent() throws IOException {
        Set<String> told = told();
        Set<String> all = new LinkedHashSet<>();
        for (Class<?> kind : Event.class.getPermittedSubclasses()) {
            all.add(kind.getSimpleName());
        }
        all.removeAll(told);
        assertThat(all)
                .as("kinds of events in no kept journal: record another version")
                .isSubsetOf(UNTOLD);
    }

    private static Set<String> told() throws IOException {
        Set<String> told = new LinkedHashSet<>();
        for (Path journal : kept()) {
            for (byte[] bytes : read(journal)) {
                Batch batch = new BatchCodec().decode(bytes);
                Stream.concat(batch.facts().stream(), batch.decided().stream())
                        .forEach(event -> told.add(event.getClass().getSimpleName()));
            }
        }
        return told;
    }

    private static List<Path> kept() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    private static Engine engine() {
        Scenario scenario = stormy(1);
        return new Engine(
                scenario.scenarioPolicy().toPolicy(), scenario.scenarioPolicy().toSettings());
    }

    private static Scenario stormy(long seed) {
        return RandomScenario.with(
                RandomScenario.cluster(seed, Mood.STORMY),
                RandomScenario.script(seed, Mood.STORMY, 60));
    }

    static List<byte[]> read(Path file) throws IOException {
        var batches = new ArrayList<byte[]>();
        try (var in = new DataInputStream(Files.newInputStream(file))) {
            while (in.available() > 0) {
                batches.add(in.readNBytes(in.readInt()));
            }
        }
        return batches;
    }

    /// The life with the most kinds of events that no kept journal has, and then with the most.
    private static void record(Path file) throws IOException {
        Set<String> told = told();
        List<Batch> richest = List.of();
        long most = 0;
        for (long seed = 1; seed <= 200; seed++) {
            List<Batch> batches = Audited.run(stormy(seed), seed).batches();
            List<String> kinds =
                    batches.stream()
                            .flatMap(b -> Stream.concat(b.facts().stream(), b.decided().stream()))
                            .map(event -> event.getClass().getSimpleName())
                            .distinct()
                            .toList();
            long fresh = kinds.stream().filter(kind -> !told.contains(kind)).count();
            if (100 * fresh + kinds.size() > most) {
                most = 100 * fresh + kinds.size();
                richest = batches;
            }
        }
        Files.createDirectories(FOLDER);
        var codec = new BatchCodec();
        try (var out =
                new DataOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
            for (Batch batch : richest) {
                byte[] bytes = codec.encode(batch);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        }
    }
}
