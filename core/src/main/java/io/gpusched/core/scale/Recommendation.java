package io.gpusched.core.scale;

/// How many replicas a pool should have, and why.
///
/// @param rule which rule decided, in a few words
/// @param reason a sentence with the figures, for people
public record Recommendation(int replicas, String rule, String reason) {}
