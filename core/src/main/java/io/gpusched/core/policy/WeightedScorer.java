package io.gpusched.core.policy;

/// A scorer and how much its word counts.
public record WeightedScorer(Scorer scorer, double weight) {}
