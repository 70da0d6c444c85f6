package io.gpusched.server.agents;

import io.gpusched.core.event.Report;

import java.util.function.BooleanSupplier;

/// Where reports enter the cell.
@FunctionalInterface
public interface ReportInbox {
    /// The same for a report that is dropped when it is no longer `wanted` at its turn: the word of
    /// an agent must not be taken after the word of its successor.
    void tell(Report report, BooleanSupplier wanted, Runnable settled);

    /// Hands over a report, waiting while the inbox is full. Runs `settled`, on any thread, when
    /// the cell has answered it and the answer cannot be lost any more; an agent is told to forget
    /// only then. If `settled` never runs, the agent tells again.
    default void tell(Report report, Runnable settled) {
        tell(report, () -> true, settled);
    }
}
