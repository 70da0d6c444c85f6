package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Chooses the victims that are preempted so that `job` can start; an empty list when there are
/// none. The victims together must really make the job fit, and each must be strictly below it: by
/// base priority, or by an order in which no two jobs can preempt each other in turn. If there are
/// no victims for a job, there are none for a job of no higher [#rank] of the same tenant with the
/// same request.
public interface Preemptor {
    List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now);

    /// Whether the running job may be preempted for this one, judged by itself; [#victims] chooses
    /// only from jobs that may.
    PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now);

    /// Describes which jobs may be preempted for another, as in `3 jobs below its priority`.
    default String lesser() {
        return "below its priority";
    }

    /// How important this rule considers the job; more is more.
    default long rank(Job job) {
        return job.priority();
    }

    /// The lowest base priority for which the running job would be preempted now.
    default long leavesFor(Job running, Instant now) {
        return running.priority() + 1L;
    }

    /// When the running job, which may not be preempted for this one now, may be by the passage of
    /// time alone; null when it will not.
    default @Nullable Instant leavesAt(Job running, Job job, Instant now) {
        return null;
    }

    /// When the first running job that may not be preempted now for a job of this base priority may
    /// be, by the passage of time alone; null when none will.
    default @Nullable Instant nextToLeave(int priority, ClusterView cluster, Instant now) {
        return null;
    }

    /// Running jobs that are preempted at the beginning of a cycle whatever starts instead: for
    /// rules that choose all running jobs anew in every cycle.
    default List<Job> outOfTurn(ClusterView cluster, Instant now) {
        return List.of();
    }
}
