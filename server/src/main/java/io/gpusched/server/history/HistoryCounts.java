package io.gpusched.server.history;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.StopCause;
import io.gpusched.server.cell.Follower;
import io.gpusched.store.HistoryColumn;
import io.gpusched.store.WaitSketch;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Counts what happens to jobs until the next step of the history takes the counts. The follower's
/// thread only counts; everything else is done by the thread that takes them.
public final class HistoryCounts implements Follower.BatchListener {
    private Counts current = new Counts();

    /// What happened since the last step.
    static final class Counts {
        final Map<HistoryColumn, Double> all = new EnumMap<>(HistoryColumn.class);
        final Started started = new Started();
        final Map<String, Started> byTenant = new HashMap<>();

        private Counts() {
            for (HistoryColumn column : HistoryColumn.values()) {
                if (column.fold() == HistoryColumn.Fold.SUM) {
                    all.put(column, 0.0);
                }
            }
        }

        private void count(HistoryColumn column) {
            all.merge(column, 1.0, Double::sum);
        }
    }

    /// Runs that were placed, and how long their jobs had waited since they were submitted.
    static final class Started {
        private final TreeMap<Integer, Integer> waits = new TreeMap<>();
        private int runs;

        private void add(Event.AttemptPlaced placed, Job job) {
            runs++;
            if (placed.attempt().number() == 1) {
                Duration wait = Duration.between(job.submitted(), placed.at());
                waits.merge(WaitSketch.bucket(wait), 1, Integer::sum);
            }
        }

        int runs() {
            return runs;
        }

        WaitSketch waits() {
            return new WaitSketch(waits);
        }
    }

    @Override
    public synchronized void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        batch.facts().forEach(event -> count(event, engine));
        batch.decided().forEach(event -> count(event, engine));
    }

    private void count(Event event, Engine engine) {
        switch (event) {
            case Event.JobSubmitted e -> current.count(HistoryColumn.SUBMITTED);
            case Event.AttemptPlaced e -> started(e, engine);
            case Event.AttemptStopping e -> {
                if (e.cause().kind() == StopCause.Kind.PREEMPTED) {
                    current.count(HistoryColumn.PREEMPTED);
                }
            }
            case Event.JobEnded e -> {
                switch (e.outcome().result()) {
                    case COMPLETED -> current.count(HistoryColumn.COMPLETED);
                    case FAILED -> current.count(HistoryColumn.FAILED);
                    case CANCELLED -> {}
                }
            }
            default -> {}
        }
    }

    private void started(Event.AttemptPlaced placed, Engine engine) {
        current.count(HistoryColumn.STARTED);
        Job job = engine.state().job(placed.attempt().job());
        if (job != null) {
            current.started.add(placed, job);
            current.byTenant
                    .computeIfAbsent(job.tenant().name(), tenant -> new Started())
                    .add(placed, job);
        }
    }

    /// The counts since the last call.
    synchronized Counts take() {
        Counts taken = current;
        current = new Counts();
        return taken;
    }
}
