package io.gpusched.wire.request;

import java.util.List;

/// The outcome of reading a request: its value, or the problems that make the request invalid.
///
///     switch (MarketRequest.read(body)) {
///         case Parsed.Valid(var market, var warnings) -> …
///         case Parsed.Invalid(var problems) -> …
///     }
///
/// @param <T> the value of a valid request
/// @param <P> one problem: `Problem` for the REST API, [FieldViolation] for the scoring service
public sealed interface Parsed<T, P> {
    /// @param warnings what the client should know although the request is valid
    record Valid<T, P>(T value, List<String> warnings) implements Parsed<T, P> {
        public Valid {
            warnings = List.copyOf(warnings);
        }
    }

    /// @param problems at least one
    record Invalid<T, P>(List<P> problems) implements Parsed<T, P> {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }

    /// Valid if there are no problems.
    static <T, P> Parsed<T, P> of(T value, List<String> warnings, List<P> problems) {
        return problems.isEmpty() ? new Valid<>(value, warnings) : new Invalid<>(problems);
    }
}
