package io.gpusched.bench.core;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.NoJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.policy.Policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Complete job lifecycles, from submission to end, through a cell with a journal that keeps
/// nothing: each call submits new jobs, starts those placed in the call before, and ends those that
/// ran.
///
///     submitted ──▶ placed ──▶ task runs, run begins ──▶ task ends, job ends
final class JobLifecycles {
    static final int NODES = 1000;
    static final int PER_CALL = 500;

    private static final int SPECS = 1 << 14;

    private final Cell cell;
    private final List<Input> submissions = new ArrayList<>();
    private List<AttemptId> placed = new ArrayList<>();
    private List<AttemptId> running = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int next;
    private long events;
    private long ended;
    private final List<Batch> kept = new ArrayList<>();
    private final boolean keeps;

    /// @param keeps whether batches are kept
    JobLifecycles(boolean keeps) {
        this.keeps = keeps;
        EngineSettings settings = EngineSettings.DEFAULT;
        Policy policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        cell = new Cell(new Engine(policy, settings), new NoJournal(), a -> {}, this::concluded);
        var source = new JobSource(4, 20, 20, 1, 2, 4);
        for (int i = 0; i < SPECS; i++) {
            submissions.add(Testbed.submit(source.asKept()));
        }
        cell.takeCharge(1, "bench", "bench", now);
        cell.handle(Testbed.opening(NODES, source.tenants()), now);
    }

    /// All batches so far, if they are kept.
    List<Batch> kept() {
        return kept;
    }

    /// Submits this many jobs, and lets those before them run and end.
    void live(int jobs) {
        for (int come = 0; come < jobs; come += PER_CALL) {
            var inputs = new ArrayList<Input>(3 * PER_CALL);
            for (AttemptId attempt : running) {
                inputs.add(new Report.TaskEnded(attempt, 0, Exit.SUCCESS));
            }
            for (AttemptId attempt : placed) {
                inputs.add(new Report.TaskRunning(attempt, 0));
            }
            for (int i = 0; i < PER_CALL; i++) {
                inputs.add(submissions.get(next++ & (SPECS - 1)));
            }
            running = placed;
            placed = new ArrayList<>(PER_CALL);
            now = now.plusSeconds(1);
            cell.handle(inputs, now);
        }
    }

    private void concluded(Batch batch, CycleResult cycleResult) {
        events += batch.size();
        for (Event event : batch.decided()) {
            if (event instanceof Event.AttemptPlaced it) {
                placed.add(it.attempt());
            }
        }
        for (Event event : batch.facts()) {
            ended += event instanceof Event.JobEnded ? 1 : 0;
        }
        if (keeps) {
            kept.add(batch);
        }
    }

    /// Recorded so far.
    long events() {
        return events;
    }

    long ended() {
        return ended;
    }

    Engine engine() {
        return cell.engine();
    }
}
