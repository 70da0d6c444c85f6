package io.gpusched.server.http;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.intake.IntakeResult;

import java.util.function.Supplier;

/// Sends commands to the cell and turns refusals into [HttpError]s.
final class CommandSender {
    private final CommandGateway commandGateway;

    CommandSender(CommandGateway commandGateway) {
        this.commandGateway = commandGateway;
    }

    Answer.Accepted run(Command command) {
        return patiently(
                () ->
                        switch (commandGateway.ask(command)) {
                            case Answer.Accepted accepted -> accepted;
                            case Answer.Rejected rejected ->
                                    throw HttpError.of(rejected.problems());
                        });
    }

    /// Sends a report and waits for its answer.
    Answer report(Report report) {
        return patiently(() -> commandGateway.ask(report));
    }

    /// Runs an action that waits for the cell.
    void run(Runnable action) {
        boolean _ =
                patiently(
                        () -> {
                            action.run();
                            return true;
                        });
    }

    /// The accepted result of an intake; throws an [HttpError] if it was refused.
    <T> IntakeResult.Accepted<T> accepted(Supplier<IntakeResult<T>> intake) {
        return switch (patiently(intake)) {
            case IntakeResult.Accepted<T> accepted -> accepted;
            case IntakeResult.Refused<T> refused ->
                    throw HttpError.of(refused.problems(), refused.body());
        };
    }

    private static <T> T patiently(Supplier<T> action) {
        try {
            return action.get();
        } catch (CellUnavailable e) {
            throw HttpError.notReady(
                    e.mayCount()
                            ? e.getMessage()
                                    + "; the request may have been applied: check before you"
                                    + " repeat it"
                            : String.valueOf(e.getMessage()));
        }
    }
}
