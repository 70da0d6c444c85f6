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
///     next instant ──▶ the cluster tells what happens ──▶ the cell decides ──▶ the cluster reacts
///          ▲                                                                        │
///          └────────────────────────────────────────────────────────────────────────┘
///
/// The next instant is when something happens in the cluster or when the cell wants to be woken.
/// Everything of one instant is told before the cell decides, exactly as a server hands over all
/// that has arrived. [#step] is one round of the loop; who has to look in between uses its parts,
/// [#move] and [#decide]. One thread owns a driver.
public final class Driver {
    private final SimulatedCluster cluster;
    private Cell cell;
    private Instant now;

    /// When the cell wants to be woken, as of the last time it was asked.
    private @Nullable Instant wanted;

    /// Whether the cell may want something else by now.
    private boolean changed = true;

    private boolean woken;

    /// The instant of what was told since the last batch; null when nothing was.
    private @Nullable Instant toldAt;

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

    /// Goes on with another cell: a scheduler that was restarted, or has other settings.
    public void replace(Cell next) {
        cell = next;
        changed = true;
    }

    // What is told.

    /// Tells the cell something; it becomes part of the next decision's batch.
    public Answer tell(Input input) {
        return tell(input, now);
    }

    /// The same for something that happened before now, after everything that was told already.
    public Answer tell(Input input, Instant at) {
        heard(at);
        return cell.take(input, at);
    }

    public List<Answer> tell(List<Input> inputs) {
        heard(now);
        return cell.take(inputs, now);
    }

    /// Records a fact that is certain, such as one from a journal.
    public void record(Event fact) {
        heard(now);
        cell.record(fact);
    }

    private void heard(Instant at) {
        sealBefore(at);
        toldAt = at;
        changed = true;
    }

    /// A batch holds what happened at one instant.
    private void sealBefore(Instant instant) {
        if (toldAt != null && !toldAt.equals(instant)) {
            cell.seal(toldAt);
            toldAt = null;
        }
    }

    private void decides() {
        sealBefore(now);
        toldAt = null;
        changed = true;
    }

    /// All tasks of the run have started.
    public void started(Run run) {
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            tell(new Report.TaskRunning(run.id(), rank));
        }
    }

    /// All tasks of the run have ended.
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

    // How time goes on.

    /// When something happens next, or the cell is woken; null when neither will be.
    public @Nullable Instant next() {
        Instant due = cluster.next(this);
        if (changed) {
            wanted = cell.wakeAfter(now);
            changed = false;
        }
        Instant wake = wanted == null ? null : cluster.wakes(wanted, now);
        woken = wake != null && (due == null || !wake.isAfter(due));
        Instant next = woken ? wake : due;
        return next == null ? null : cluster.hears(next);
    }

    /// Whether the cell was woken at this instant because it wanted to be.
    public boolean woken() {
        return woken;
    }

    /// Goes on to [#next] and tells the cell what happens there. False when nothing does.
    public boolean move() {
        Instant next = next();
        if (next == null) {
            return false;
        }
        moveTo(next);
        return true;
    }

    /// Goes on to `instant` and tells the cell what happens by then.
    public void moveTo(Instant instant) {
        Check.that(!instant.isBefore(now), "time would go back from %s to %s", now, instant);
        sealBefore(instant);
        now = instant;
        cluster.happen(this);
    }

    /// Lets the cell decide, and the cluster carry it out, until no more is to be decided now. What
    /// the last decision came to is returned.
    public CycleResult decide() {
        CycleResult cycleResult;
        do {
            decides();
            cycleResult = cell.decide(now);
        } while (cluster.react(this));
        return cycleResult;
    }

    /// Lets one waiting job take a turn and no other.
    public TurnOutcome attempt(JobId job) {
        decides();
        return cell.attempt(job, now);
    }

    /// Concludes what was told without letting any job take a turn.
    public CycleResult conclude() {
        decides();
        return cell.conclude(now);
    }

    /// Goes on to the next instant, and lets the cell decide if it was told anything or wanted to
    /// be woken. False when nothing happens any more.
    public boolean step() {
        if (!move()) {
            return false;
        }
        if (woken || toldAt != null) {
            decide();
        }
        return true;
    }
}
