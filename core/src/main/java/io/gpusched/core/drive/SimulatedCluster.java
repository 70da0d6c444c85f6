package io.gpusched.core.drive;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Everything around a cell in simulated time: the users that submit jobs and the nodes that run
/// them. A [Driver] asks it for the next event; it passes the resulting inputs to the cell through
/// the driver.
public interface SimulatedCluster {
    /// The time of the next event; null if nothing more happens before the cell decides something.
    @Nullable Instant next(Driver driver);

    /// Carries out all events that are due by [Driver#now], and passes their inputs to the driver.
    void happen(Driver driver);

    /// Carries out the part of the cell's last decisions that takes no time, and passes the reports
    /// to the driver. Returns whether the cell should decide again at the same instant.
    default boolean react(Driver driver) {
        return false;
    }

    /// When to wake a cell that asked to be woken at `wanted`; null for never. The result is always
    /// after `now`; otherwise a cell that keeps asking for the present would stop time.
    default @Nullable Instant wakes(Instant wanted, Instant now) {
        return wanted.isAfter(now) ? wanted : now.plusNanos(1000);
    }

    /// When the scheduler notices an event of the time `next`; later if it polls the cluster.
    default Instant noticedAt(Instant next) {
        return next;
    }
}
