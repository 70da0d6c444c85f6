package io.gpusched.core.model;

import java.time.Duration;

/// What a job's life adds up to so far. All jobs that have not started yet and were never held
/// share [#NONE]: a million waiting jobs then need one of these, not a million.
///
/// @param attempts runs so far, the present one included
/// @param evictions how often it was preempted
/// @param drains how often it was stopped because its node was drained
/// @param losses how often its run was lost with a node or could not be started, less those that
///        later runs cancelled
/// @param ran total time of earlier runs, from running until their GPUs were freed
/// @param unaged how long it was held and so not in the queue; ageing of the priority may leave
///        this time out
public record RunTotals(
        int attempts, int evictions, int drains, int losses, Duration ran, Duration unaged) {
    public static final RunTotals NONE = new RunTotals(0, 0, 0, 0, Duration.ZERO, Duration.ZERO);

    /// The same totals, as [#NONE] where they equal it.
    public RunTotals shared() {
        return equals(NONE) ? NONE : this;
    }

    RunTotals started() {
        return new RunTotals(attempts + 1, evictions, drains, losses, ran, unaged);
    }

    /// @param longer how long the run that ended now had run
    RunTotals requeued(RequeueCause cause, Duration longer) {
        return new RunTotals(
                attempts,
                evictions + (cause.kind() == RequeueCause.Kind.PREEMPTED ? 1 : 0),
                drains + (cause.kind() == RequeueCause.Kind.DRAINED ? 1 : 0),
                losses + (cause.kind() == RequeueCause.Kind.LOST ? 1 : 0) - cause.forgiven(),
                ran.plus(longer),
                unaged);
    }

    RunTotals held(Duration longer) {
        return new RunTotals(attempts, evictions, drains, losses, ran, unaged.plus(longer))
                .shared();
    }
}
