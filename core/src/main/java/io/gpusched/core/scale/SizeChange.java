package io.gpusched.core.scale;

import java.time.Instant;

/// A pool's size was changed by so many replicas; negative when it became smaller.
public record SizeChange(Instant at, int replicas) {}
