package io.gpusched.server.view;

import java.time.InstantSource;
import java.util.function.Supplier;

/// Gives every answer about jobs its reasons and expected starts, so that all of them tell the
/// same.
public record ReasonSource(
        Supplier<View> views, LatestTurns latestTurns, StartTimes startTimes, InstantSource clock) {
    /// As of the view that is published now.
    public StateReasons now() {
        return StateReasons.at(views.get(), latestTurns, startTimes, clock.instant());
    }
}
