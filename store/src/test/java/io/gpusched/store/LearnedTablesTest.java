package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RuntimeAverages;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The tables of learned values equal the model.
final class LearnedTablesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private SqlJournal journal;

    private final RecordedHealth health = new RecordedHealth();

    @BeforeEach
    void open() {
        journal = SqlJournal.open(new Database.Sqlite(folder), health);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    /// Imported values keep their original times, but count as the newest changes here.
    @Test
    void afterAnImportTheTablesShowWhatTheModelHas() throws SQLException {
        journal.raiseTerm();
        Random random = new Random(5);
        var model = new Learner();
        long number = 1;
        for (int i = 0; i < 60; i++) {
            List<Event> facts = new ArrayList<>();
            if (i == 0) {
                facts.add(new Event.RetentionChanged(Batches.START, 7));
            }
            for (int each = 0; each < 1 + random.nextInt(4); each++) {
                facts.add(i % 3 == 2 ? imported(random, i) : observedAt(random, i));
            }
            facts.forEach(model::apply);
            Instant at = Batches.START.plusSeconds(i);
            journal.append(new Batch(number, 1, at, facts, List.of(), number), () -> {});
            number++;
            if (i % 7 == 0) { // a new server now and then
                show(model);
            }
        }
        show(model);
    }

    private void show(Learner model) throws SQLException {
        try (var tables = Tables.open(journal, health)) {
            tables.catchUp();
        }
        assertThat(rows("SELECT job_type, gpu_type, mean_runtime, together_count FROM stats"))
                .containsExactlyInAnyOrderElementsOf(
                        model.book().pairs().stream()
                                .map(
                                        pair ->
                                                "%s %s %s %s"
                                                        .formatted(
                                                                pair.kind(),
                                                                pair.gpuModel(),
                                                                pair.alone().mean(),
                                                                pair.together().count()))
                                .toList());
        assertThat(rows("SELECT job_type, co_job_type, slowdown_factor, count FROM interference"))
                .containsExactlyInAnyOrderElementsOf(
                        model.book().slowdowns().stream()
                                .map(
                                        slowed ->
                                                "%s %s %s %s"
                                                        .formatted(
                                                                slowed.kind(),
                                                                slowed.neighbour(),
                                                                slowed.part(),
                                                                slowed.count()))
                                .toList());
    }

    private List<String> rows(String sql) throws SQLException {
        var rows = new ArrayList<String>();
        try (var connection = Dialect.connectReading(journal.database(), Tables.FILE);
                var query = connection.createStatement();
                ResultSet row = query.executeQuery(sql)) {
            while (row.next()) {
                rows.add(
                        "%s %s %s %s"
                                .formatted(
                                        row.getString(1),
                                        row.getString(2),
                                        row.getDouble(3),
                                        row.getLong(4)));
            }
        }
        return rows;
    }

    private static Event observedAt(Random random, int second) {
        return new Event.Observed(
                Batches.START.plusSeconds(second),
                "kind-" + random.nextInt(12),
                "A100",
                Duration.ofMillis(1 + random.nextInt(100_000)),
                random.nextBoolean() ? List.of() : List.of("noisy-" + random.nextInt(4)));
    }

    private static Event imported(Random random, int second) {
        Instant longAgo = Batches.START.minusSeconds(random.nextInt(100_000));
        var pairs = new ArrayList<LearnedRuntime>();
        var slowdowns = new ArrayList<LearnedSlowdown>();
        for (int i = 0; i < 3; i++) {
            String kind = "kind-" + random.nextInt(12);
            var alone = new RuntimeAverages(1 + random.nextInt(50), 1, 3);
            pairs.add(new LearnedRuntime(kind, "A100", alone, RuntimeAverages.NONE, longAgo));
            slowdowns.add(new LearnedSlowdown(kind, "noisy-1", random.nextDouble(), 2, longAgo));
        }
        return new Event.Imported(
                Batches.START.plusSeconds(second),
                pairs,
                slowdowns,
                List.of(),
                List.of(),
                "tester");
    }
}
