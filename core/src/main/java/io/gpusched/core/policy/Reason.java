package io.gpusched.core.policy;

/// A refusal and the number of nodes it holds for; 0 nodes when it is about the job itself.
public record Reason(Refusal refusal, int nodes) {}
