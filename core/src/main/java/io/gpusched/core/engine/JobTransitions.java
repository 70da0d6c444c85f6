package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.RequeueCause;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Computes the events that follow when tasks change state. It works on copies of the jobs, so that
/// one report about many tasks of a gang gives one consistent result before anything is recorded.
final class JobTransitions {
    /// The scheduler fails a job that loses more runs than this, unless runs in between were long
    /// enough to make up for earlier ones.
    private static final int MOST_LOSSES = 3;

    private static final Duration BACKOFF = Duration.ofSeconds(10);

    /// The pause after a withdrawn start: what is free is known by then.
    private static final Duration AFTER_WITHDRAWAL = Duration.ofSeconds(1);

    private final ClusterState state;
    private final FaultRules rules;
    private final StartRefusals refusals;
    private final Instant now;

    /// The job that was changed last, and the earlier ones: nearly all reports are about one job.
    private @Nullable Job last;

    private final Map<JobId, Job> earlier = new LinkedHashMap<>();
    private final List<Event> events = new ArrayList<>();
    private Duration retryAfter = AFTER_WITHDRAWAL;

    JobTransitions(ClusterState state, FaultRules rules, Instant now) {
        this.state = state;
        this.rules = rules;
        this.refusals = new StartRefusals(state, rules, now);
        this.now = now;
    }

    List<Event> events() {
        return events;
    }

    @Nullable Job job(JobId id) {
        if (last != null && last.id().equals(id)) {
            return last;
        }
        Job draft = earlier.get(id);
        return draft != null ? draft : state.job(id);
    }

    private Job keep(Job draft) {
        if (last != null && !last.id().equals(draft.id())) {
            earlier.put(last.id(), last);
        }
        last = draft;
        return draft;
    }

    /// Stops for every run on the node that is not stopping already.
    static List<Event> evictions(ClusterState state, NodeView node, Instant now, String why) {
        var events = new ArrayList<Event>();
        for (JobId id : node.jobs()) {
            Job job = state.job(id);
            Run run = job == null ? null : job.phase().run();
            if (job != null && run != null && !(job.phase() instanceof Phase.Stopping)) {
                var cause = new StopCause(StopCause.Kind.DRAINED, why);
                events.add(new Event.AttemptStopping(now, run.id(), cause));
            }
        }
        return events;
    }

    /// Stops the run because of its node; the job waits again afterwards.
    void drain(Job job, String why) {
        Run run = Objects.requireNonNull(job.phase().run());
        if (!(job.phase() instanceof Phase.Stopping)) {
            stopping(job, run, new StopCause(StopCause.Kind.DRAINED, why));
        }
    }

    /// A task has a later state. An earlier or equal state changes nothing.
    void move(Job job, int rank, TaskState next) {
        Run run = Objects.requireNonNull(job.phase().run());
        TaskState present = run.tasks().get(rank);
        if (present.ended() || present.equals(next) || isBack(present, next)) {
            return;
        }
        if (next instanceof TaskState.Ended over
                && over.exit().how() == Exit.How.REFUSED
                && job.phase() instanceof Phase.Starting) {
            events.add(refusals.refused(job, run, rank, over.exit().detail()));
        }
        events.add(new Event.TaskChanged(now, run.id(), rank, next));
        Run moved = run.with(rank, next);
        Job draft = keep(job.with(withRun(job.phase(), moved)));
        if (next instanceof TaskState.Ended ended) {
            ended(draft, moved, rank, ended.exit());
        } else if (next instanceof TaskState.Running) {
            started(draft, moved);
        }
    }

    /// The start of a task was withdrawn; another try follows after that time, or after the usual
    /// time if it is zero.
    void withdraw(Job job, int rank, String reason, Duration after) {
        retryAfter = after.isPositive() ? after : AFTER_WITHDRAWAL;
        move(job, rank, new TaskState.Ended(new Exit(Exit.How.WITHDRAWN, -1, reason)));
    }

    private static boolean isBack(TaskState present, TaskState next) {
        return present instanceof TaskState.Running
                && (next instanceof TaskState.Prepared || next instanceof TaskState.Assigned);
    }

    private void started(Job job, Run run) {
        if (job.phase() instanceof Phase.Starting && run.allStarted()) {
            running(job, run);
        }
    }

    private Job running(Job job, Run run) {
        events.add(new Event.AttemptRunning(now, run.id()));
        if (!job.avoids().isEmpty()) {
            events.addAll(refusals.started(job));
        }
        return keep(job.with(new Phase.Running(run, now)));
    }

    private void ended(Job job, Run run, int rank, Exit exit) {
        Job draft = job;
        if (job.phase() instanceof Phase.Starting && run.allStarted() && ranAtAll(exit)) {
            draft = running(job, run);
        }
        if (run.allEnded()) {
            finish(draft, run);
        } else if (!exit.success() && !(draft.phase() instanceof Phase.Stopping)) {
            stop(draft, run, rank, exit);
        }
    }

    private static boolean ranAtAll(Exit exit) {
        return exit.how() != Exit.How.REFUSED
                && exit.how() != Exit.How.WITHDRAWN
                && exit.how() != Exit.How.LOST;
    }

    private void stop(Job job, Run run, int rank, Exit exit) {
        StopCause.Kind kind =
                switch (exit.how()) {
                    case LOST -> StopCause.Kind.NODE_LOST;
                    case REFUSED -> StopCause.Kind.START_FAILED;
                    case WITHDRAWN -> StopCause.Kind.WITHDRAWN;
                    case EXITED, SIGNALLED, STOPPED, TIMEOUT -> StopCause.Kind.TASK_FAILED;
                };
        stopping(job, run, new StopCause(kind, named(run, rank) + words(exit)));
    }

    private void stopping(Job job, Run run, StopCause cause) {
        events.add(new Event.AttemptStopping(now, run.id(), cause));
        Instant started = job.phase().startedAt();
        keep(job.with(new Phase.Stopping(run, now, started, cause)));
    }

    /// No task is left: the job ends, or waits again.
    private void finish(Job job, Run run) {
        events.addAll(UnstoppableTasks.clear(state, job, run, now));
        StopCause.Kind cause =
                job.phase() instanceof Phase.Stopping stopping ? stopping.cause().kind() : null;
        int task = worst(run);
        Exit worst = exit(run, task);
        if (worst.success() && cause != StopCause.Kind.SCALED_DOWN) {
            end(job, Outcome.Result.COMPLETED, 0, "completed");
        } else if (cause == StopCause.Kind.CANCELLED) {
            end(job, Outcome.Result.CANCELLED, -1, detail(job));
        } else if (cause == StopCause.Kind.SCALED_DOWN) {
            end(job, Outcome.Result.CANCELLED, -1, detail(job));
        } else if (cause == StopCause.Kind.IDLE) {
            end(job, Outcome.Result.FAILED, -1, detail(job));
        } else if (cause == StopCause.Kind.PREEMPTED) {
            stopped(job, RequeueCause.Kind.PREEMPTED);
        } else if (cause == StopCause.Kind.MOVED) {
            requeue(job, null, new RequeueCause(RequeueCause.Kind.MOVED, 0), detail(job));
        } else if (cause == StopCause.Kind.DRAINED) {
            stopped(job, RequeueCause.Kind.DRAINED);
        } else if (wasWithdrawn(worst, cause)) {
            var why = new RequeueCause(RequeueCause.Kind.WITHDRAWN, 0);
            String reason = cause == null ? words(worst) : detail(job);
            requeue(job, now.plus(retryAfter), why, reason);
        } else if (worst.how() == Exit.How.LOST
                || cause == StopCause.Kind.NODE_LOST
                || wasFenced(job, worst, cause)) {
            lost(job, "node_lost", null);
        } else if (worst.how() == Exit.How.REFUSED || cause == StopCause.Kind.START_FAILED) {
            lost(job, "start_failed: " + worst.detail(), backoff(job));
        } else if (worst.how() == Exit.How.TIMEOUT) {
            end(job, Outcome.Result.FAILED, worst.code(), "timeout");
        } else {
            end(job, Outcome.Result.FAILED, worst.code(), named(run, task) + words(worst));
        }
    }

    private static boolean wasWithdrawn(Exit worst, StopCause.@Nullable Kind cause) {
        return cause == StopCause.Kind.WITHDRAWN
                || (cause == null && worst.how() == Exit.How.WITHDRAWN);
    }

    /// Whether the agent of a silent node stopped the run by itself, and was back before the node
    /// counted as lost. A job with a deadline must expect that where spot capacity comes and goes.
    private static boolean wasFenced(Job job, Exit worst, StopCause.@Nullable Kind cause) {
        return job.spec().deadline() != null
                && worst.how() == Exit.How.STOPPED
                && (cause == null || cause == StopCause.Kind.TASK_FAILED);
    }

    /// The task whose exit explains best why the run ended. In this order: lost, refused, timed
    /// out, failed, stopped, succeeded.
    private static int worst(Run run) {
        int worst = 0;
        for (int task = 1; task < run.tasks().size(); task++) {
            worst = rank(exit(run, task)) > rank(exit(run, worst)) ? task : worst;
        }
        return worst;
    }

    private static Exit exit(Run run, int task) {
        return Objects.requireNonNull(run.tasks().get(task).exit());
    }

    /// Names the task, so that users find its log; empty if the job has only one task.
    private static String named(Run run, int rank) {
        if (run.tasks().size() == 1) {
            return "";
        }
        for (Slot slot : run.on().slots()) {
            if (slot.rank() == rank) {
                return "task " + rank + " on " + slot.node() + " ";
            }
        }
        return "task " + rank + " ";
    }

    private static int rank(Exit exit) {
        return switch (exit.how()) {
            case LOST -> 5;
            case REFUSED -> 4;
            case TIMEOUT -> 3;
            case EXITED, SIGNALLED -> exit.success() ? 0 : 2;
            case STOPPED, WITHDRAWN -> 1;
        };
    }

    private Instant backoff(Job job) {
        int doublings = Math.min(job.losses(), job.spec().isReplica() ? 5 : 6);
        return now.plus(BACKOFF.multipliedBy(1L << doublings));
    }

    private void lost(Job job, String reason, @Nullable Instant notBefore) {
        Instant started = job.phase().startedAt();
        Duration ran = started == null ? Duration.ZERO : Duration.between(started, now);
        int forgiven = rules.forgives(job.losses(), ran);
        boolean tooOften = job.losses() - forgiven >= MOST_LOSSES || !job.spec().onLoss().requeue();
        boolean isExpected = job.spec().isReplica() || lostOnSpot(job, notBefore);
        if (tooOften && !isExpected) {
            end(job, Outcome.Result.FAILED, -1, reason);
        } else {
            requeue(job, notBefore, new RequeueCause(RequeueCause.Kind.LOST, forgiven), reason);
        }
    }

    /// Spot capacity is taken away without the fault of the job that was moved there.
    private static boolean lostOnSpot(Job job, @Nullable Instant notBefore) {
        return notBefore == null && job.spec().capacity().kind() == CapacityRule.Kind.SPOT;
    }

    /// The job is not to blame, so it waits again, unless it was submitted to run only once.
    private void stopped(Job job, RequeueCause.Kind why) {
        if (job.spec().onLoss().requeue() || job.spec().isReplica()) {
            requeue(job, null, new RequeueCause(why, 0), detail(job));
        } else {
            String reason = detail(job) + "; the job is not queued again because requeue is false";
            end(job, Outcome.Result.FAILED, -1, reason);
        }
    }

    private void requeue(Job job, @Nullable Instant notBefore, RequeueCause why, String reason) {
        events.add(
                new Event.JobRequeued(
                        now,
                        job.id(),
                        notBefore,
                        why.kind() == RequeueCause.Kind.LOST,
                        why.kind() == RequeueCause.Kind.DRAINED,
                        why.kind() == RequeueCause.Kind.MOVED,
                        why.kind() == RequeueCause.Kind.WITHDRAWN,
                        why.forgiven(),
                        reason));
        boolean evicted = why.kind() != RequeueCause.Kind.WITHDRAWN || job.evictions() > 0;
        var waiting = new Phase.Waiting(now, notBefore, evicted);
        keep(job.requeued(waiting, why, now));
    }

    private void end(Job job, Outcome.Result result, int code, String reason) {
        var outcome = new Outcome(result, code, reason);
        events.add(new Event.JobEnded(now, job.id(), outcome));
        keep(job.with(new Phase.Ended(now, outcome, null, null)));
    }

    private static String detail(Job job) {
        return job.phase() instanceof Phase.Stopping stopping
                ? stopping.cause().detail()
                : "stopped";
    }

    private static String words(Exit exit) {
        return switch (exit.how()) {
            case EXITED -> "exited with code " + exit.code();
            case SIGNALLED -> "was killed by signal " + (exit.code() - 128);
            case STOPPED -> "was stopped";
            case TIMEOUT -> "ran into its time limit";
            case LOST -> "was lost with its node";
            case REFUSED -> "could not start: " + exit.detail();
            case WITHDRAWN -> "was not started: " + exit.detail();
        };
    }

    private static Phase withRun(Phase phase, Run run) {
        return switch (phase) {
            case Phase.Starting p -> p.with(run);
            case Phase.Running p -> new Phase.Running(run, p.since());
            case Phase.Stopping p -> new Phase.Stopping(run, p.since(), p.started(), p.cause());
            case Phase.Held p -> p;
            case Phase.Waiting p -> p;
            case Phase.Ended p -> p;
        };
    }

    /// Every task of the job on the node is lost.
    void loseTasksOn(Job job, NodeView node) {
        Run run = job.phase().run();
        if (run == null) {
            return;
        }
        var exit = new Exit(Exit.How.LOST, -1, "node " + node.facts().id() + " was lost");
        for (Slot slot : run.on().slots()) {
            Job draft = Objects.requireNonNull(job(job.id()));
            if (slot.node().equals(node.facts().id()) && draft.phase().run() != null) {
                move(draft, slot.rank(), new TaskState.Ended(exit));
            }
        }
    }
}
