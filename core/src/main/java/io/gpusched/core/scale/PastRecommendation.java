package io.gpusched.core.scale;

import java.time.Instant;

/// A size that was recommended, before any limit.
public record PastRecommendation(Instant at, int replicas) {}
