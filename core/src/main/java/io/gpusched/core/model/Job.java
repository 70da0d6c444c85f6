package io.gpusched.core.model;

import java.time.Duration;
import java.time.Instant;

/// A job as the ledger knows it: what was asked, and where it stands.
///
/// @param priority the priority in force, which people may change after submission
/// @param attempts runs so far, the present one included
/// @param evictions how often it was made to leave for somebody else
/// @param losses how often its run was lost with a node
/// @param ran how long earlier runs took together, from running to having left
public record Job(
        JobId id,
        JobSpec spec,
        int priority,
        Instant submitted,
        Phase phase,
        int attempts,
        int evictions,
        int losses,
        Duration ran) {
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
                Duration.ZERO);
    }

    public Job with(Phase next) {
        return new Job(id, spec, priority, submitted, next, attempts, evictions, losses, ran);
    }

    /// The same with another payload.
    public Job withPayload(Payload other) {
        return new Job(
                id,
                spec.withPayload(other),
                priority,
                submitted,
                phase,
                attempts,
                evictions,
                losses,
                ran);
    }

    public Job withPriority(int next, Instant at) {
        Phase then =
                phase instanceof Phase.Waiting waiting
                        ? new Phase.Waiting(at, waiting.notBefore(), waiting.ranBefore())
                        : phase;
        return new Job(id, spec, next, submitted, then, attempts, evictions, losses, ran);
    }

    public Job started(Phase.Starting next) {
        return new Job(id, spec, priority, submitted, next, attempts + 1, evictions, losses, ran);
    }

    /// Back in line from `at` on.
    public Job requeued(Phase.Waiting next, boolean lost, Instant at) {
        Instant started = phase.startedAt();
        return new Job(
                id,
                spec,
                priority,
                submitted,
                next,
                attempts,
                evictions + (lost ? 0 : 1),
                losses + (lost ? 1 : 0),
                started == null ? ran : ran.plus(Duration.between(started, at)));
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
