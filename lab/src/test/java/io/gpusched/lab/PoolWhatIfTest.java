package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.pools.PoolNodes;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.trace.TraceJob;
import io.gpusched.store.JournalFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// `lab what-if --pool`.
final class PoolWhatIfTest {
    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

    @TempDir Path folder;

    /// The exported journal of a pool that served for eight minutes.
    private String journal() {
        var requests = new ArrayList<ServingRequest>();
        for (int i = 0; i < 960; i++) {
            requests.add(new ServingRequest(i, i / 2.0, 500 + i % 7 * 100, 60 + i % 5 * 40));
        }
        Role replica = Role.of(TraceJob.Ask.ofGpus(2).shape(), 1);
        var pool =
                new Pool(
                        new PoolId("chat"),
                        "",
                        JobSpec.builder(Tenant.DEFAULT, List.of(replica)).name("chat").build(),
                        1,
                        4,
                        0,
                        new Slo(1_000, 75, 0, 990),
                        ScalingRules.slo(),
                        CostRules.NONE,
                        CarbonRules.NONE,
                        LocalityRules.NONE,
                        ServingRules.NONE);
        var around =
                new PoolCase(
                        requests,
                        IterationCost.LLAMA2_70B,
                        START,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(1),
                        PoolNodes.of(4, 2),
                        pool,
                        List.of(PoolCase.Scripted.of(START, new Command.PutPool(pool, "test"))),
                        List.of(),
                        PoolCase.Gauges.NONE,
                        Duration.ZERO,
                        Duration.ofDays(1));
        Path file = folder.resolve("chat.jsonl");
        try (var writer = JournalFile.Writer.create(file)) {
            new PoolRun(around, List.of(), (batch, cycleResult) -> writer.add(batch)).run();
            writer.finish();
        }
        return file.toString();
    }

    private static Ran ask(String journal, String... more) {
        var words = new ArrayList<>(List.of("what-if", "--journal", journal));
        words.addAll(List.of(more));
        return Ran.lab(words.toArray(String[]::new));
    }

    @Test
    void lawsAndDocumentsAreTriedBesideTheRecord() throws IOException {
        String journal = journal();
        Path page = folder.resolve("page.md");
        Ran ran =
                ask(
                        journal,
                        "--pool",
                        "chat",
                        "--law",
                        "hpa-20,static-2",
                        "--report",
                        page.toString());
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("pool          chat with the law slo, 1 to 4 replicas of 2 GPUs")
                .containsPattern("recorded +\\d")
                .containsPattern("slo, replayed +\\d")
                .containsPattern("static-2 +\\d")
                .contains("model check: ");
        assertThat(Files.readString(page)).contains("| hpa-20 |");

        Path document =
                Files.writeString(
                        folder.resolve("chat.json"),
                        "{\"replica\": {\"gpu_count\": 2}, \"min_replicas\": 2, \"slo\":"
                                + " {\"ttft_ms\": 500}, \"scaling\": {\"law\": \"slo\"}}");
        Ran tried =
                ask(journal, "--pool", "chat", "--pool-file", document.toString(), "--json", "-");
        assertThat(tried.out()).contains("\"law\" : \"slo, tried\"");
    }

    @Test
    void whatCannotBeAskedIsSaid() throws IOException {
        String journal = journal();
        assertFails("found no pool none", ask(journal, "--pool", "none", "--law", "slo"));
        assertFails("the nearest is hpa-20", ask(journal, "--pool", "chat", "--law", "hpx-20"));
        assertFails("--law: expected a law", ask(journal, "--pool", "chat"));
        assertFails("--pool: expected the pool", ask(journal, "--law", "slo"));
        assertFails(
                "leave out --policy",
                ask(journal, "--pool", "chat", "--law", "slo", "--policy", "fifo"));
        assertFails(
                "--since: expected a time",
                ask(journal, "--pool", "chat", "--law", "slo", "--since", "12"));
        Path bad = Files.writeString(folder.resolve("bad.json"), "{\"min_replicas\": -1}");
        assertFails("min_replicas", ask(journal, "--pool", "chat", "--pool-file", bad.toString()));
        Path text = Files.writeString(folder.resolve("text.json"), "kind: Pool");
        assertFails(
                "--pool-file: expected a pool as JSON",
                ask(journal, "--pool", "chat", "--pool-file", text.toString()));
    }

    private static void assertFails(String why, Ran ran) {
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).startsWith("lab: ").contains(why);
    }
}
