package io.gpusched.core.policy;

/// A scorer and how much its word counts.
public record Weighted(Scorer scorer, double weight) {}
