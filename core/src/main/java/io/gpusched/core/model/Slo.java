package io.gpusched.core.model;

/// The service level objectives of a pool; 0 where there is none.
public record Slo(int firstTokenMillis, int tokensPerSecond, int queueMillis) {}
