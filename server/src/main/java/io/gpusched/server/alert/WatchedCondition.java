package io.gpusched.server.alert;

import java.time.Duration;

/// A condition as it is configured.
///
/// @param enabled whether it is evaluated
/// @param hold how long it must hold before its alert fires
public record WatchedCondition(AlertCondition condition, boolean enabled, Duration hold) {}
