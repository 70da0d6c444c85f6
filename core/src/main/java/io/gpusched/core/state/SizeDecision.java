package io.gpusched.core.state;

import java.time.Instant;

/// A pool's size was changed, or another size was recommended.
///
/// @param rule which rule decided, in a few words
/// @param reason a sentence with the figures, for people
public record SizeDecision(Instant at, int from, int to, String rule, String reason) {}
