package io.gpusched.sim.whatif;

import io.gpusched.core.model.Exit;

import java.time.Duration;

/// How long a job runs from its beginning to its end, all saved work included.
///
/// @param exit how it then ends
/// @param known false when it is only known to be at least so long
/// @param guessed whether it is what was learned from others, not what happened
public record TrueRuntime(Duration runs, Exit exit, boolean known, boolean guessed) {}
