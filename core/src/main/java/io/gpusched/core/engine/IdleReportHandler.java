package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/// Handles reports that a task leaves its GPUs idle or uses them again. Only changes are recorded;
/// a repeated report changes nothing until the job has been idle for too long.
final class IdleReportHandler {
    private static final ChronoUnit SECONDS = ChronoUnit.SECONDS;

    private final ClusterState state;
    private final IdleRules rules;
    private final Instant now;

    IdleReportHandler(ClusterState state, IdleRules rules, Instant now) {
        this.state = state;
        this.rules = rules;
        this.now = now;
    }

    /// @param job whose present run the report is about
    List<Event> to(Report.TaskUse r, Job job) {
        if (!(job.phase() instanceof Phase.Running running)
                || !(running.run().tasks().get(r.rank()) instanceof TaskState.Running)) {
            return List.of();
        }
        IdleTask known = state.idleTasks().find(r.attempt(), r.rank());
        if (!r.idleFor().isPositive()) {
            return known == null
                    ? List.of()
                    : List.of(new Event.TaskIdle(now, r.attempt(), r.rank(), null));
        }
        var events = new ArrayList<Event>();
        if (known == null) {
            // A task cannot have been idle before it ran.
            Instant begun = now.minus(r.idleFor()).truncatedTo(ChronoUnit.MICROS);
            Instant placed = running.run().placed();
            Instant since = begun.isBefore(placed) ? placed : begun;
            known = new IdleTask(r.attempt(), r.rank(), since);
            events.add(new Event.TaskIdle(now, r.attempt(), r.rank(), since));
        }
        IdleTask told = known;
        Instant whole =
                IdleTask.allSince(
                        running.run(),
                        rank ->
                                rank == r.rank()
                                        ? told
                                        : state.idleTasks().find(r.attempt(), rank));
        if (whole != null && isOver(job, whole)) {
            var cause =
                    new StopCause(
                            StopCause.Kind.IDLE,
                            "idle: used none of its GPUs since " + whole.truncatedTo(SECONDS));
            events.add(new Event.AttemptStopping(now, r.attempt(), cause));
        }
        return events;
    }

    private boolean isOver(Job job, Instant since) {
        return !job.spec().isReplica()
                && rules.mayStop(job.spec())
                && !since.plus(rules.patience()).isAfter(now);
    }
}
