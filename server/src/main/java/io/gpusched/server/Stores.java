package io.gpusched.server;

import io.gpusched.server.config.DatabaseSection;
import io.gpusched.server.view.PastJobs;
import io.gpusched.store.Database;
import io.gpusched.store.HistoryTables;
import io.gpusched.store.JobHistory;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoredRuns;
import io.gpusched.store.Tables;

import java.nio.file.Path;

/// What a server keeps on disk or in the database, and the engines recovered from it: the journal,
/// its snapshots, the tables with ended jobs, and the history of the cluster's figures.
final class Stores {
    private static final int SNAPSHOTS_KEPT = 5;

    /// Whether the journal was empty: this server is the first one on it.
    final boolean isNew;

    final SqlJournal journal;
    final Snapshots snapshots;
    final RecoveredEngines engines;
    final Tables tables;
    final PastJobs pastJobs;
    final HistoryTables history;
    final StoredRuns runs;

    /// Opens the stores, replays the journal, and sets the clock to no earlier than its last batch.
    Stores(ServerContext context) {
        var config = context.config();
        var liveness = context.liveness();
        journal = context.shutdown().add(SqlJournal.open(database(config.database()), liveness));
        snapshots = new Snapshots(snapshotFolder(config.dataDir()), SNAPSHOTS_KEPT, liveness);
        engines = RecoveredEngines.from(journal, snapshots, context.engineConfig());
        isNew = engines.engine().lastBatch() == 0;
        tables = context.shutdown().add(Tables.open(journal, liveness));
        context.clock().startAt(engines.engine().state().lastAt());
        JobHistory jobs = context.shutdown().add(new JobHistory(journal.database()));
        history = context.shutdown().add(new HistoryTables(journal.database(), liveness));
        runs = context.shutdown().add(new StoredRuns(journal.database()));
        pastJobs = new PastJobs(jobs, tables::watermark);
    }

    static Database database(DatabaseSection section) {
        if (!section.postgres()) {
            return new Database.Sqlite(section.folder());
        }
        return new Database.Postgres(
                "jdbc:postgresql://%s:%d/%s?sslmode=%s"
                        .formatted(
                                section.host(),
                                section.port(),
                                section.database(),
                                section.sslmode()),
                section.user(),
                section.password());
    }

    static Path snapshotFolder(Path dataDir) {
        return dataDir.resolve("snapshots");
    }
}
