package io.gpusched.server.alert;

/// What a receiver can be told about an alert. Only a later stage is news: a receiver that knows an
/// alert as critical is not told that it became a warning.
public enum AlertStage {
    INFO,
    WARNING,
    CRITICAL,
    RESOLVED
}
