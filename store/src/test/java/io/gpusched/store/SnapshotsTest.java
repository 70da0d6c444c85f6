package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;

final class SnapshotsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final RecordedHealth health = new RecordedHealth();

    @SuppressWarnings("NullAway.Init")
    private SqlJournal journal;

    @SuppressWarnings("NullAway.Init")
    private Snapshots snapshots;

    @SuppressWarnings("NullAway.Init")
    private BusyCell busy;

    @BeforeEach
    void open() {
        journal = SqlJournal.open(new Database.Sqlite(folder.resolve("data")), health);
        snapshots = new Snapshots(folder.resolve("snapshots"), 3, health);
        busy = new BusyCell(journal, journal.raiseTerm(), 1);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void anEngineGoesOnFromASnapshotAsIfNothingHadHappened() {
        save(busy.live(60));
        busy.live(60);

        Snapshot snapshot = Objects.requireNonNull(newest());
        assertThat(snapshot.image().batch()).isBetween(20L, journal.head() - 20);
        Engine fresh = BusyCell.newEngine();
        Engine engine =
                Engine.restore(
                        snapshot.image(),
                        snapshot.learned(),
                        fresh.policy(),
                        EngineSettings.DEFAULT);
        journal.replay(engine.lastBatch(), engine::apply);

        assertThat(engine.digest()).isEqualTo(busy.cell.engine().digest());
        assertThat(engine.image()).isEqualTo(busy.cell.engine().image());
    }

    @Test
    void theNewestIsUsedAndTheOldestAreRemoved() throws IOException {
        for (int i = 0; i < 5; i++) {
            save(busy.live(5));
        }
        assertThat(files()).hasSize(3);
        assertThat(Objects.requireNonNull(newest()).image().batch())
                .isEqualTo(busy.cell.engine().lastBatch());
    }

    @Test
    void onlyTheirOwnerCanReadThem() throws IOException {
        save(busy.live(5));
        assertThat(Files.getPosixFilePermissions(files().getFirst()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void aDamagedOneIsPassedOverWithAWarning() throws IOException {
        save(busy.live(20));
        long good = busy.cell.engine().lastBatch();
        save(busy.live(20));
        save(busy.live(20));
        byte[] bytes = Files.readAllBytes(files().get(2));
        bytes[bytes.length / 2] ^= 1;
        Files.write(files().get(2), bytes);
        Files.write(files().get(1), new byte[10]);

        assertThat(Objects.requireNonNull(newest()).image().batch()).isEqualTo(good);
        assertThat(health.warnings).hasSize(2).allMatch(warning -> warning.contains("is not used"));
    }

    @Test
    void oneThatIsAheadOfTheJournalOrOfAnotherIsNotUsed() {
        save(busy.live(20));
        try (var reader = journal.reader()) {
            assertThat(snapshots.newest(reader, busy.cell.engine().lastBatch() - 1)).isNull();
        }
        var engine = busy.cell.engine();
        snapshots.save(new Snapshot(engine.image(), engine.learner().image(), engine.digest() + 1));
        assertThat(newest()).isNull();
        assertThat(health.warnings).singleElement().asString().contains("another journal");
    }

    private void save(BusyCell from) {
        Engine engine = from.cell.engine();
        snapshots.save(new Snapshot(engine.image(), engine.learner().image(), engine.digest()));
    }

    private @Nullable Snapshot newest() {
        try (var reader = journal.reader()) {
            return snapshots.newest(reader, journal.head());
        }
    }

    private List<Path> files() throws IOException {
        try (var files = Files.list(folder.resolve("snapshots"))) {
            return files.sorted().toList();
        }
    }
}
