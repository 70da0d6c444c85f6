package io.gpusched.server.view;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.store.RunRow;
import io.gpusched.store.StoredRuns;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// Runs of a span of time: those that ended from the store's tables, those that run from the view,
/// and the newest ends, which the tables may not contain yet, from the recent events.
///
/// The order of reading makes it complete. A run is in the view until the event of its end is among
/// the recent ones, and an event is among the recent ones until the tables contain it.
public final class PastRuns {
    private final Supplier<View> views;
    private final PastJobs pastJobs;
    private final StoredRuns stored;

    public PastRuns(Supplier<View> views, PastJobs pastJobs, StoredRuns stored) {
        this.views = views;
        this.pastJobs = pastJobs;
        this.stored = stored;
    }

    /// @param runs oldest first
    /// @param truncated whether there are more, which began or ended earlier
    public record Found(List<RunRow> runs, boolean truncated) {}

    /// At most so many runs that overlap the span: those that run, and those that ended last.
    public Found find(StoredRuns.Query query, int most) {
        View view = views.get();
        List<Event> recent = pastJobs.recentRuns();
        var runs = new LinkedHashMap<RunRow.Key, RunRow>();
        running(view).forEach(run -> runs.put(run.key(), run));
        StoredRuns.Page ended = stored.ended(query, most);
        recentEnds(recent, view).forEach(run -> runs.put(run.key(), run));
        ended.runs().forEach(run -> runs.put(run.key(), run));
        List<RunRow> found =
                runs.values().stream()
                        .filter(run -> matches(run, query))
                        .sorted(Comparator.comparing(PastRuns::endOf, Comparator.reverseOrder()))
                        .toList();
        return new Found(
                found.stream()
                        .limit(most)
                        .sorted(
                                Comparator.comparing(RunRow::start)
                                        .thenComparingLong(run -> run.key().job().number()))
                        .toList(),
                ended.more() || found.size() > most);
    }

    private static Instant endOf(RunRow run) {
        return run.end() == null ? Instant.MAX : run.end();
    }

    private static boolean matches(RunRow run, StoredRuns.Query query) {
        return endOf(run).isAfter(query.from())
                && run.start().isBefore(query.to())
                && (query.node() == null || query.node().equals(run.key().node()))
                && (query.tenant() == null || query.tenant().equals(run.tenant()));
    }

    private static List<RunRow> running(View view) {
        var jobs = new LinkedHashMap<JobId, Job>();
        for (NodeRow node : view.nodes().all()) {
            for (NodeRow.Held held : node.holders()) {
                Job job = jobs.containsKey(held.job()) ? null : view.job(held.job());
                if (job != null) {
                    jobs.put(held.job(), job);
                }
            }
        }
        var rows = new ArrayList<RunRow>();
        for (Job job : jobs.values()) {
            Run run = job.phase().run();
            if (run != null) {
                rows.addAll(rows(job, run.id().number(), run.on(), run.placed()));
            }
        }
        return rows;
    }

    /// Runs whose end is among the recent events. Where their beginning is not, the tables have it.
    private List<RunRow> recentEnds(List<Event> recent, View view) {
        var open = new HashMap<JobId, List<RunRow>>();
        var ended = new ArrayList<RunRow>();
        var begunBefore = new LinkedHashMap<JobId, Event>();
        var begun = new HashSet<JobId>();
        for (Event event : recent) {
            JobId over = null;
            switch (event) {
                case Event.AttemptPlaced e -> {
                    Job job = view.job(e.attempt().job());
                    if (job != null) {
                        open.put(job.id(), rows(job, e.attempt().number(), e.on(), e.at()));
                        begun.add(job.id());
                    }
                }
                case Event.JobRequeued e -> over = e.job();
                case Event.JobEnded e -> over = e.job();
                default -> {}
            }
            if (over == null) {
                continue;
            }
            List<RunRow> rows = open.remove(over);
            if (rows != null) {
                rows.forEach(row -> ended.add(ended(row, event)));
            } else if (!begun.contains(over)) {
                // A job that ends in the queue after its run was requeued ends no run.
                begunBefore.putIfAbsent(over, event);
            }
        }
        for (RunRow row : stored.open(begunBefore.keySet())) {
            ended.add(ended(row, Objects.requireNonNull(begunBefore.get(row.key().job()))));
        }
        return ended;
    }

    private static RunRow ended(RunRow row, Event event) {
        return row.ended(event.at(), RunRow.endKind(event));
    }

    /// One row for each node of the run.
    private static List<RunRow> rows(Job job, int attempt, Placement on, Instant placed) {
        var rows = new LinkedHashMap<RunRow.Key, RunRow>();
        for (Slot slot : on.slots()) {
            var key = new RunRow.Key(job.id(), attempt, slot.node());
            RunRow before = rows.get(key);
            long gpus = slot.grant().mask() | (before == null ? 0 : before.gpus());
            rows.put(
                    key,
                    new RunRow(
                            key,
                            job.spec().name(),
                            job.tenant(),
                            gpus,
                            placed,
                            null,
                            RunRow.RUNNING));
        }
        return List.copyOf(rows.values());
    }
}
