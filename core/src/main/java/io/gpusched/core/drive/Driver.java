package io.gpusched.core.drive;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Run;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Drives a cell through simulated time: the one loop of every simulation, replay and forecast.
///
///     next instant ──▶ inputs from the cluster ──▶ the cell decides ──▶ the cluster reacts
///          ▲                                                                    │
///          └────────────────────────────────────────────────────────────────────┘
///
/// The next instant is the next event of the cluster or the next wake-up that the cell asked for.
/// The cell receives all inputs of one instant before it decides, exactly as in a server. [#step]
/// is one pass of the loop; a caller that must act in between uses its parts, [#move] and
/// [#decide]. One thread owns a driver.
public final class Driver {
    private final SimulatedCluster cluster;
    private Cell cell;
    private Instant now;

    /// The wake-up that the cell asked for, as of the last query.
    private @Nullable Instant wanted;

    /// Whether the cell may ask for another wake-up by now.
    private boolean changed = true;

    private boolean woken;

    /// The instant of the inputs since the last batch; null if there were none.
    private @Nullable Instant inputsAt;

    public Driver(Cell cell, SimulatedCluster cluster, Instant start) {
        this.cell = cell;
        this.cluster = cluster;
        this.now = start;
    }

    public Instant now() {
        return now;
    }

    public Cell cell() {
        return cell;
    }

    public ClusterState state() {
        return cell.engine().state();
    }

    /// Continues with another cell: a scheduler that was restarted or has other settings.
    public void replace(Cell next) {
        cell = next;
        changed = true;
    }

    // Inputs.

    /// Passes an input to the cell; it becomes part of the batch of the next decision.
    public Answer tell(Input input) {
        return tell(input, now);
    }

    /// Passes an input of a time before now, but not before that of any earlier input.
    public Answer tell(Input input, Instant at) {
        received(at);
        return cell.take(input, at);
    }

    public List<Answer> tell(List<Input> inputs) {
        received(now);
        return cell.take(inputs, now);
    }

    /// Records a fact that is certain, such as one from a journal.
    public void record(Event fact) {
        received(now);
        cell.record(fact);
    }

    private void received(Instant at) {
        sealBefore(at);
        inputsAt = at;
        changed = true;
    }

    /// Ends the batch of an earlier instant: a batch holds the inputs of one instant.
    private void sealBefore(Instant instant) {
        if (inputsAt != null && !inputsAt.equals(instant)) {
            cell.seal(inputsAt);
            inputsAt = null;
        }
    }

    private void decides() {
        sealBefore(now);
        inputsAt = null;
        changed = true;
    }

    /// Reports that all tasks of the run have started.
    public void started(Run run) {
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            tell(new Report.TaskRunning(run.id(), rank));
        }
    }

    /// Reports that all tasks of the run have ended.
    public void ended(Run run, Exit exit) {
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            tell(new Report.TaskEnded(run.id(), rank, exit));
        }
    }

    /// The job, if this is its present attempt; else null.
    public @Nullable Job current(AttemptId attempt) {
        Job job = state().job(attempt.job());
        Run run = job == null ? null : job.phase().run();
        return run != null && run.id().equals(attempt) ? job : null;
    }

    // Time.

    /// The time of the next event or wake-up; null if there is neither.
    public @Nullable Instant next() {
        Instant due = cluster.next(this);
        if (changed) {
            wanted = cell.wakeAfter(now);
            changed = false;
        }
        Instant wake = wanted == null ? null : cluster.wakes(wanted, now);
        woken = wake != null && (due == null || !wake.isAfter(due));
        Instant next = woken ? wake : due;
        return next == null ? null : cluster.noticedAt(next);
    }

    /// Whether the cell is woken at this instant because it asked for it.
    public boolean woken() {
        return woken;
    }

    /// Moves time to [#next] and passes the inputs of that instant. Returns false if there is none.
    public boolean move() {
        Instant next = next();
        if (next == null) {
            return false;
        }
        moveTo(next);
        return true;
    }

    /// Moves time to `instant` and passes the inputs that are due by then.
    public void moveTo(Instant instant) {
        Check.that(!instant.isBefore(now), "time would go back from %s to %s", now, instant);
        sealBefore(instant);
        now = instant;
        cluster.happen(this);
    }

    /// Lets the cell decide and the cluster carry out the decisions, until the cluster needs no
    /// further cycle at this instant. Returns the result of the last cycle.
    public CycleResult decide() {
        CycleResult cycleResult;
        do {
            decides();
            cycleResult = cell.decide(now);
        } while (cluster.react(this));
        return cycleResult;
    }

    /// Tries to place one waiting job and no other.
    public TurnOutcome attempt(JobId job) {
        decides();
        return cell.attempt(job, now);
    }

    /// Ends the batch of the inputs without trying to place any job.
    public CycleResult conclude() {
        decides();
        return cell.conclude(now);
    }

    /// Moves time to the next instant, and lets the cell decide if it got an input or asked to be
    /// woken. Returns false if nothing more happens.
    public boolean step() {
        if (!move()) {
            return false;
        }
        if (woken || inputsAt != null) {
            decide();
        }
        return true;
    }
}
