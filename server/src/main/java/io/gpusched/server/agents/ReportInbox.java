package io.gpusched.server.agents;

import io.gpusched.core.event.Report;

import java.util.function.BooleanSupplier;

/// Where agents' reports enter the cell.
@FunctionalInterface
public interface ReportInbox {
    /// Sends a report that is dropped if it is no longer `wanted` when the cell takes it: the
    /// report of an agent must not be applied after a report of its successor.
    void tell(Report report, BooleanSupplier wanted, Runnable settled);

    /// Sends a report, waiting while the inbox is full. Runs `settled`, on any thread, when the
    /// cell has answered it and its batch is durable; only then is the report acknowledged to the
    /// agent. If `settled` never runs, the agent repeats the report.
    default void tell(Report report, Runnable settled) {
        tell(report, () -> true, settled);
    }
}
