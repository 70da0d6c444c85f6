package io.gpusched.core.state;

import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.StopCause;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What a pool knows of one of its replicas beside its job.
///
/// @param placed when its present run was placed; null while it waits
/// @param ready since when it takes requests; null when it does not
/// @param served whether a source ever told that it takes requests
/// @param draining since when it gets no new requests because it will be stopped; null when it
///        stays
/// @param template the number of the pool's template with which it was submitted
public record ReplicaStatus(
        int number,
        JobId job,
        @Nullable Instant placed,
        @Nullable Instant ready,
        boolean served,
        @Nullable Instant draining,
        int template) {
    /// Where a replica is in its life.
    public enum State {
        WAITING,
        STARTING,
        READY,
        DRAINING
    }

    static ReplicaStatus submitted(int number, JobId job, int template) {
        return new ReplicaStatus(number, job, null, null, false, null, template);
    }

    ReplicaStatus placed(Instant at) {
        return new ReplicaStatus(number, job, at, null, served, draining, template);
    }

    ReplicaStatus requeued() {
        return new ReplicaStatus(number, job, null, null, served, draining, template);
    }

    ReplicaStatus ready(@Nullable Instant since) {
        return new ReplicaStatus(
                number, job, placed, since, served || since != null, draining, template);
    }

    /// Ready because it runs, although no source tells so.
    ReplicaStatus running(Instant since) {
        return new ReplicaStatus(number, job, placed, since, served, draining, template);
    }

    ReplicaStatus draining(Instant since) {
        return new ReplicaStatus(number, job, placed, ready, served, since, template);
    }

    /// A replica that was preempted or lost waits again; one that was cancelled or has failed is as
    /// good as gone.
    ///
    /// @param its the job of this replica
    public State state(Job its) {
        if (draining != null) {
            return State.DRAINING;
        }
        return switch (its.phase()) {
            case Phase.Held _, Phase.Waiting _ -> State.WAITING;
            case Phase.Stopping stopping -> returns(stopping) ? State.WAITING : State.DRAINING;
            case Phase.Starting _, Phase.Running _ -> ready == null ? State.STARTING : State.READY;
            case Phase.Ended _ -> State.DRAINING;
        };
    }

    private static boolean returns(Phase.Stopping stopping) {
        StopCause.Kind cause = stopping.cause().kind();
        return cause == StopCause.Kind.PREEMPTED
                || cause == StopCause.Kind.DRAINED
                || cause == StopCause.Kind.NODE_LOST
                || cause == StopCause.Kind.START_FAILED
                || cause == StopCause.Kind.WITHDRAWN;
    }

    long digest() {
        long hash = Digest.mix(Digest.mix(0x4EB, number), job.number());
        hash = Digest.mix(hash, micros(placed));
        hash = Digest.mix(hash, micros(ready));
        return Digest.mix(Digest.mix(hash, served ? 1 : 0), micros(draining));
    }

    private static long micros(@Nullable Instant instant) {
        return instant == null ? -1 : Instants.micros(instant);
    }
}
