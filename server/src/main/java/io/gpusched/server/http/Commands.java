package io.gpusched.server.http;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.server.cell.Inlet;
import io.gpusched.server.cell.Unavailable;

/// Hands commands to the cell and turns its refusals into faults.
final class Commands {
    private final Inlet inlet;

    Commands(Inlet inlet) {
        this.inlet = inlet;
    }

    Answer.Accepted run(Command command) {
        try {
            return switch (inlet.ask(command)) {
                case Answer.Accepted accepted -> accepted;
                case Answer.Rejected rejected -> throw Fault.of(rejected.problems());
            };
        } catch (Unavailable e) {
            throw Fault.notReady(
                    e.mayCount()
                            ? e.getMessage()
                                    + "; whether the request counts will show when it is asked"
                                    + " again"
                            : String.valueOf(e.getMessage()));
        }
    }
}
