package io.gpusched.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// How long the journal, ended jobs and lost nodes are kept. A duration of zero keeps them forever.
///
/// @param archive the directory to which data is written before it is deleted
public record RetentionSection(Duration journal, Duration jobs, Duration lostNodes, Path archive) {

    private static final long MOST_DAYS = 36_500;

    static final Setting<Long> JOURNAL =
            Setting.count(
                    "retention.journal_days",
                    0,
                    0,
                    MOST_DAYS,
                    "days",
                    "How far back the journal goes at least; older batches move to the archive; 0"
                            + " keeps all.");
    static final Setting<Long> JOBS =
            Setting.count(
                    "retention.jobs_days",
                    0,
                    0,
                    MOST_DAYS,
                    "days",
                    "How long ended jobs stay in the tables; then they move to the archive; 0 keeps"
                            + " all.");
    static final Setting<Long> LOST_NODES =
            Setting.count(
                    "retention.lost_nodes_days",
                    30,
                    0,
                    MOST_DAYS,
                    "days",
                    "How long a lost node is listed before it is removed; 0 keeps it.");
    static final Setting<String> ARCHIVE =
            Setting.text(
                    "retention.archive",
                    "",
                    "The directory of the archive; archive in the data directory when empty.");
    static final List<Setting<?>> KEYS = List.of(JOURNAL, JOBS, LOST_NODES, ARCHIVE);

    static RetentionSection from(SettingValues settingValues, Path dataDir) {
        String archive = settingValues.of(ARCHIVE);
        return new RetentionSection(
                Duration.ofDays(settingValues.of(JOURNAL)),
                Duration.ofDays(settingValues.of(JOBS)),
                Duration.ofDays(settingValues.of(LOST_NODES)),
                archive.isEmpty() ? dataDir.resolve("archive") : Path.of(archive));
    }
}
