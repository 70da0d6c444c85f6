package io.gpusched.core.drive;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Everything around a cell in simulated time: the people who submit jobs, and the nodes that run
/// them. A [Driver] asks it what happens when; it tells the cell of that through the driver.
public interface SimulatedCluster {
    /// When something happens next; null when nothing will unless the cell decides something.
    @Nullable Instant next(Driver driver);

    /// Lets everything happen that is due by [Driver#now], and tells the cell.
    void happen(Driver driver);

    /// Carries out what the cell has just decided, as far as that is done in no time, and tells the
    /// cell. True when the cell should decide again at the same instant.
    default boolean react(Driver driver) {
        return false;
    }

    /// When a cell is woken that wants to be woken at `wanted`; null for never. Time always goes
    /// on: a cell that keeps asking for the present would never reach the future.
    default @Nullable Instant wakes(Instant wanted, Instant now) {
        return wanted.isAfter(now) ? wanted : now.plusNanos(1000);
    }

    /// When the scheduler hears of what happens at `next`, where it does not hear of it at once.
    default Instant hears(Instant next) {
        return next;
    }
}
