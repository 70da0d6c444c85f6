package io.gpusched.core.policy;

/// One scorer's part in a decision: its weight and the cost it gave to the node that was chosen.
public record Term(String scorer, double weight, double cost) {}
