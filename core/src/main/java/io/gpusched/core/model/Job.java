package io.gpusched.core.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A job as the ledger knows it: its specification and its present phase.
///
/// @param spec the request; its shapes also list the nodes that the job avoids now
/// @param priority the current priority, which may change after submission
/// @param attempts runs so far, the present one included
/// @param evictions how often it was preempted
/// @param drains how often it was stopped because its node was drained
/// @param losses how often its run was lost with a node or could not be started, less those that
///        later runs cancelled
/// @param ran total time of earlier runs, from running until their GPUs were freed
/// @param unaged how long it was held and so not in the queue; ageing of the priority may leave
///        this time out
public record Job(
        JobId id,
        JobSpec spec,
        int priority,
        Instant submitted,
        Phase phase,
        int attempts,
        int evictions,
        int drains,
        int losses,
        Duration ran,
        Duration unaged) {
    public static Job submitted(JobId id, JobSpec spec, Instant at) {
        return new Job(
                id,
                spec,
                spec.priority(),
                at,
                new Phase.Waiting(at, null, false),
                0,
                0,
                0,
                0,
                Duration.ZERO,
                Duration.ZERO);
    }

    public Job with(Phase next) {
        return new Job(
                id, spec, priority, submitted, next, attempts, evictions, drains, losses, ran,
                unaged);
    }

    /// The same job with another payload.
    public Job withPayload(Payload other) {
        return spec.payload().equals(other) ? this : with(spec.withPayload(other));
    }

    public Job withPriority(int next, Instant at) {
        Phase then =
                phase instanceof Phase.Waiting waiting
                        ? new Phase.Waiting(at, waiting.notBefore(), waiting.ranBefore())
                        : phase;
        return new Job(
                id, spec, next, submitted, then, attempts, evictions, drains, losses, ran, unaged);
    }

    public Job started(Phase.Starting next) {
        return new Job(
                id,
                spec,
                priority,
                submitted,
                next,
                attempts + 1,
                evictions,
                drains,
                losses,
                ran,
                unaged);
    }

    /// The job, waiting in the queue again from `at` on.
    public Job requeued(Phase.Waiting next, RequeueCause requeueCause, Instant at) {
        Instant started = phase.startedAt();
        return new Job(
                id,
                spec,
                priority,
                submitted,
                next,
                attempts,
                evictions + (requeueCause.kind() == RequeueCause.Kind.PREEMPTED ? 1 : 0),
                drains + (requeueCause.kind() == RequeueCause.Kind.DRAINED ? 1 : 0),
                losses
                        + (requeueCause.kind() == RequeueCause.Kind.LOST ? 1 : 0)
                        - requeueCause.forgiven(),
                started == null ? ran : ran.plus(Duration.between(started, at)),
                unaged);
    }

    /// The held job, back in the queue from `at` on.
    public Job released(Instant at) {
        Duration held =
                phase instanceof Phase.Held since
                        ? Duration.between(since.since(), at)
                        : Duration.ZERO;
        return new Job(
                id,
                spec,
                priority,
                submitted,
                new Phase.Waiting(at, null, attempts > 0),
                attempts,
                evictions,
                drains,
                losses,
                ran,
                unaged.plus(held));
    }

    /// The same job with another specification.
    public Job with(JobSpec other) {
        return new Job(
                id, other, priority, submitted, phase, attempts, evictions, drains, losses, ran,
                unaged);
    }

    /// Nodes on which the job is not placed now, because they refused to start it.
    public List<Avoidance> avoids() {
        return spec.roles().getFirst().shape().avoids();
    }

    /// The job, kept off one more node.
    public Job avoiding(Avoidance more) {
        var all = new ArrayList<>(avoids());
        all.removeIf(one -> one.node().equals(more.node()));
        all.add(more);
        return with(spec.avoiding(all));
    }

    /// The job, allowed on the node again.
    public Job avoidingNoLonger(NodeId node) {
        var all = new ArrayList<>(avoids());
        all.removeIf(one -> one.node().equals(node));
        return with(spec.avoiding(all));
    }

    /// When it was submitted, moved later by the time in which it ran or was held: the time since
    /// is how long it has waited, if it waits. It does not change while the job waits.
    public Instant waitsFrom() {
        return submitted.plus(unaged).plus(ran);
    }

    /// How often the scheduler stopped a healthy run.
    public int stops() {
        return evictions + drains;
    }

    public TenantId tenant() {
        return spec.tenant();
    }

    public boolean waiting() {
        return phase instanceof Phase.Waiting;
    }

    public boolean ended() {
        return phase instanceof Phase.Ended;
    }
}
