package io.gpusched.server.intake;

import io.gpusched.core.event.Problem;

import java.util.List;

/// The outcome of a request: accepted with warnings, or refused with problems.
///
/// @param <T> what the request created or changed
public sealed interface IntakeResult<T> {
    record Accepted<T>(T what, List<String> warnings) implements IntakeResult<T> {}

    /// @param body whether the request body is invalid; otherwise the cell or a limit refuses a
    ///        valid one
    record Refused<T>(List<Problem> problems, boolean body) implements IntakeResult<T> {
        public Refused(List<Problem> problems) {
            this(problems, false);
        }
    }
}
