package io.gpusched.operator.pods;

import java.time.Duration;

/// How a call about a pod ended.
public sealed interface CallOutcome {
    record Done() implements CallOutcome {}

    /// The pod cannot be bound there now. The node is not to blame.
    record Refused(String why, Duration retryAfter) implements CallOutcome {}

    /// Not yet; the same call is to be repeated.
    record Later(String why, Duration after) implements CallOutcome {}
}
