package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Slot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The contract of the runs in the tables: they are those of the journal.
@Timeout(120)
abstract class StoredRunsContract {
    private static final Instant BEGIN = Instant.EPOCH;
    private static final Instant END = Instant.parse("9000-01-01T00:00:00Z");

    private final RecordedHealth health = new RecordedHealth();
    private final Map<JobId, List<RunRow>> open = new HashMap<>();
    private final List<RunRow> ended = new ArrayList<>();
    private final Map<JobId, Event.JobSubmitted> submitted = new HashMap<>();

    /// An empty database, the same one for the whole test.
    abstract Database database();

    @Test
    void theRunsAreThoseOfTheJournal() {
        live();
        assertThat(ended).extracting(RunRow::endKind).contains("completed", "failed");
        try (var runs = new StoredRuns(database())) {
            var all = runs.ended(new StoredRuns.Query(BEGIN, END, null, null), 100_000);
            assertThat(all.more()).isFalse();
            assertThat(all.runs()).containsExactlyInAnyOrderElementsOf(ended);
            assertThat(open).isNotEmpty();
            assertThat(runs.open(open.keySet()))
                    .containsExactlyInAnyOrderElementsOf(
                            open.values().stream().flatMap(List::stream).toList());
        }
    }

    @Test
    void openRunsAreFoundAmongAnyNumberOfJobs() {
        live();
        JobId one = open.keySet().iterator().next();
        var jobs = new ArrayList<JobId>();
        for (int number = 0; number < 3000; number++) {
            jobs.add(new JobId(1_000_000 + number));
        }
        jobs.add(one);
        try (var runs = new StoredRuns(database())) {
            assertThat(runs.open(jobs)).containsExactlyInAnyOrderElementsOf(open.get(one));
            assertThat(runs.open(List.of())).isEmpty();
        }
    }

    @Test
    void aQuerySelectsByTimeNodeAndTenant() {
        live();
        RunRow some = ended.get(ended.size() / 2);
        Instant from = some.start();
        Instant to = some.start().plusSeconds(60);
        try (var runs = new StoredRuns(database())) {
            var query = new StoredRuns.Query(from, to, some.key().node(), some.tenant());
            assertThat(runs.ended(query, 100_000).runs())
                    .containsExactlyInAnyOrderElementsOf(
                            ended.stream()
                                    .filter(run -> run.key().node().equals(some.key().node()))
                                    .filter(run -> run.tenant().equals(some.tenant()))
                                    .filter(run -> run.start().isBefore(to))
                                    .filter(run -> run.end() != null && run.end().isAfter(from))
                                    .toList())
                    .contains(some);
        }
    }

    @Test
    void aPageEndsAfterSoManyTasksAndSaysThatThereAreMore() {
        live();
        try (var runs = new StoredRuns(database())) {
            var page = runs.ended(new StoredRuns.Query(BEGIN, END, null, null), 3);
            assertThat(page.more()).isTrue();
            assertThat(page.runs()).hasSizeBetween(1, 3);
        }
    }

    private void live() {
        try (var journal = SqlJournal.open(database(), health)) {
            new BusyCell(journal, journal.raiseTerm(), 1).live(150);
            journal.replay(0, this::fold);
            try (var tables = Tables.open(journal, health)) {
                tables.catchUp();
            }
        }
        assertThat(health.warnings).isEmpty();
    }

    private void fold(Batch batch) {
        batch.facts().forEach(this::fold);
        batch.decided().forEach(this::fold);
    }

    private void fold(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> submitted.put(e.job(), e);
            case Event.AttemptPlaced e -> open.put(e.attempt().job(), placed(e));
            case Event.JobRequeued e -> end(e.job(), e);
            case Event.JobEnded e -> end(e.job(), e);
            default -> {}
        }
    }

    private void end(JobId job, Event event) {
        List<RunRow> rows = open.remove(job);
        if (rows != null) {
            rows.forEach(row -> ended.add(row.ended(event.at(), RunRow.endKind(event))));
        }
    }

    private List<RunRow> placed(Event.AttemptPlaced placed) {
        JobId job = placed.attempt().job();
        var spec = Objects.requireNonNull(submitted.get(job)).spec();
        var rows = new LinkedHashMap<RunRow.Key, RunRow>();
        for (Slot slot : placed.on().slots()) {
            var key = new RunRow.Key(job, placed.attempt().number(), slot.node());
            long gpus = slot.grant().mask();
            RunRow before = rows.get(key);
            rows.put(
                    key,
                    before != null
                            ? before.with(gpus)
                            : new RunRow(
                                    key,
                                    spec.name(),
                                    spec.tenant(),
                                    gpus,
                                    placed.at(),
                                    null,
                                    RunRow.RUNNING));
        }
        return List.copyOf(rows.values());
    }
}
