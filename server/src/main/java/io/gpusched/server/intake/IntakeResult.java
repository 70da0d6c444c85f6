package io.gpusched.server.intake;

import io.gpusched.core.event.Problem;

import java.util.List;

/// What became of a request.
///
/// @param <T> what it made or changed
public sealed interface IntakeResult<T> {
    record Accepted<T>(T what, List<String> warnings) implements IntakeResult<T> {}

    /// @param body whether the request itself is wrong, and not only what it asks for
    record Refused<T>(List<Problem> problems, boolean body) implements IntakeResult<T> {
        public Refused(List<Problem> problems) {
            this(problems, false);
        }
    }
}
