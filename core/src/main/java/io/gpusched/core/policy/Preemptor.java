package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Decides who leaves so that `job` can start; an empty list when nobody does. The victims together
/// must really make the job fit, and each must be strictly below it: by base priority, or by an
/// order of which it is known that no two jobs can push each other out in turn. Where nobody leaves
/// for a job, nobody leaves for one of no higher [#rank] of the same tenant that needs the same.
public interface Preemptor {
    List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now);

    /// Whether the running job leaves for this one, as far as it alone decides; [#victims] takes
    /// only those that do.
    PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now);

    /// Which jobs may have to leave for another, as in `3 jobs below its priority`.
    default String lesser() {
        return "below its priority";
    }

    /// How important the job is in the eyes of this rule; more is more.
    default long rank(Job job) {
        return job.priority();
    }

    /// The lowest base priority that makes the running job leave now.
    default long leavesFor(Job running, Instant now) {
        return running.priority() + 1L;
    }

    /// When the running job, which does not leave for this one now, does so with nothing but time
    /// passing; null when it will not.
    default @Nullable Instant leavesAt(Job running, Job job, Instant now) {
        return null;
    }

    /// When a running job leaves for one of this base priority that does not leave for it now, with
    /// nothing but time passing; null when none will.
    default @Nullable Instant nextToLeave(int priority, ClusterView cluster, Instant now) {
        return null;
    }

    /// Running jobs that have to leave at the beginning of a round whoever comes instead: for rules
    /// that choose all who run anew in every round.
    default List<Job> outOfTurn(ClusterView cluster, Instant now) {
        return List.of();
    }
}
