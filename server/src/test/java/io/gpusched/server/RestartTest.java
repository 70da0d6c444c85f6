package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.cell.Liveness;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// The number of events that a start replays is bounded, also if every server runs only for a short
/// time.
@Timeout(120)
final class RestartTest {
    private static final int EVERY = 1000;
    private static final int EACH = 350;
    private static final Map<String, String> SETTINGS =
            Map.of("GPU_SCHEDULER_DATABASE_SNAPSHOT_EVENTS", String.valueOf(EVERY));

    @TempDir Path folder;

    private final Liveness liveness = new Liveness(death -> {});

    @Test
    void shortRunsLeadToASnapshotAndTheNextStartBeginsWithIt() {
        run(false);
        assertThat(folder.resolve("snapshots")).doesNotExist();
        run(false);
        run(true);
        run(false);

        Config config = ConfigReader.read(Arguments.of("--data-dir", folder.toString()), SETTINGS);
        try (var journal = SqlJournal.open(Stores.database(config.database()), liveness)) {
            long from = newest(journal);
            var after = new AtomicLong();
            var all = new AtomicLong();
            journal.replay(from, batch -> after.addAndGet(batch.size()));
            journal.replay(0, batch -> all.addAndGet(batch.size()));

            RecoveredEngines begun = recovered(journal, config, "snapshots");
            assertThat(begun.replayed()).isEqualTo(after.get()).isLessThan(EVERY);
            RecoveredEngines whole = recovered(journal, config, "none");
            assertThat(whole.replayed()).isEqualTo(all.get()).isGreaterThanOrEqualTo(4L * EACH);
            assertThat(begun.engine().digest()).isEqualTo(whole.engine().digest());
            assertThat(begun.mirror().digest()).isEqualTo(whole.engine().digest());
            assertThat(begun.engine().state().waitingJobs()).isEqualTo(4 * EACH);
        }
    }

    /// Runs a server for fewer events than there are between two snapshots.
    private void run(boolean withSnapshot) {
        try (var rest = Running.in(folder, SETTINGS)) {
            for (int i = 0; i < EACH; i++) {
                rest.submit("{}");
            }
            if (withSnapshot) {
                Soon.that("a snapshot", this::anySnapshot);
            }
        }
    }

    private boolean anySnapshot() {
        String[] files = folder.resolve("snapshots").toFile().list();
        return files != null
                && String.join(" ", files).contains(".image")
                && !String.join(" ", files).contains(".draft");
    }

    private long newest(SqlJournal journal) {
        try (var reader = journal.reader()) {
            var snapshots = new Snapshots(folder.resolve("snapshots"), 3, liveness);
            return Objects.requireNonNull(snapshots.newest(reader, journal.head())).image().batch();
        }
    }

    private RecoveredEngines recovered(SqlJournal journal, Config config, String where) {
        var snapshots = new Snapshots(folder.resolve(where), 3, liveness);
        return RecoveredEngines.from(journal, snapshots, EngineConfig.load(config));
    }
}
