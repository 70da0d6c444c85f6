package io.gpusched.core.policy;

/// A scorer and its weight.
public record WeightedScorer(Scorer scorer, double weight) {}
