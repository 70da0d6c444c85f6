package io.gpusched.core.model;

/// What a service promises its users; 0 where nothing is promised.
public record Slo(int firstTokenMillis, int tokensPerSecond, int queueMillis) {}
