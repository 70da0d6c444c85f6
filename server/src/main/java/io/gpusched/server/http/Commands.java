package io.gpusched.server.http;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.server.cell.Inlet;
import io.gpusched.server.cell.Unavailable;
import io.gpusched.server.intake.Taken;

import java.util.function.Supplier;

/// Hands commands to the cell and turns its refusals into faults.
final class Commands {
    private final Inlet inlet;

    Commands(Inlet inlet) {
        this.inlet = inlet;
    }

    Answer.Accepted run(Command command) {
        return patiently(
                () ->
                        switch (inlet.ask(command)) {
                            case Answer.Accepted accepted -> accepted;
                            case Answer.Rejected rejected -> throw Fault.of(rejected.problems());
                        });
    }

    /// Does something else that waits for the cell.
    void run(Runnable telling) {
        boolean _ =
                patiently(
                        () -> {
                            telling.run();
                            return true;
                        });
    }

    /// What an intake made of a request, or the fault in its place.
    <T> Taken.Done<T> taken(Supplier<Taken<T>> intake) {
        return switch (patiently(intake)) {
            case Taken.Done<T> done -> done;
            case Taken.Refused<T> refused -> throw Fault.of(refused.problems(), refused.body());
        };
    }

    private static <T> T patiently(Supplier<T> asking) {
        try {
            return asking.get();
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
