package io.gpusched.server.agents;

import io.gpusched.core.event.Report;

/// Where reports enter the cell.
@FunctionalInterface
public interface ReportInbox {
    /// Hands over a report, waiting while the inbox is full. Runs `settled`, on any thread, when
    /// the cell has answered it and the answer cannot be lost any more; an agent is told to forget
    /// only then. If `settled` never runs, the agent tells again.
    void tell(Report report, Runnable settled);
}
