package io.gpusched.wire.request;

import java.time.Instant;

/// Upper bounds for the values in a request: generous for people, small enough to protect the
/// scheduler.
final class RequestBounds {
    static final int MOST_GPUS = 65_536;
    static final int MOST_TASKS = 8_192;
    static final int MOST_CORES = 1_000_000;
    static final long MOST_MEMORY_MIB = 1L << 40;
    static final int MOST_GPU_MEMORY_MIB = 1 << 24;
    static final int MOST_PRIORITY = 1_000_000;
    static final int MOST_MINUTES = 10 * 366 * 24 * 60;
    static final int MOST_GRACE_SECONDS = 24 * 60 * 60;
    static final int MOST_PREEMPTIONS = 1_000_000;
    static final long MOST_QUOTA = 1_000_000_000_000L;

    /// The journal counts microseconds of an instant, and nanoseconds of a time.
    static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    static final int NAME = 253;
    static final int KEY = 317;
    static final int VALUE = 1_024;
    static final int ARGUMENT = 128 * 1024;
    static final int SCRIPT = 512 * 1024;
    static final int PATH = 4_096;

    static final int LABELS = 64;
    static final int VARIABLES = 1_024;
    static final int ARGUMENTS = 1_024;
    static final int MODELS = 16;
    static final int TOLERATIONS = 64;
    static final int LEVELS = 8;
    static final int ALTERNATIVES = 32;
    static final int REQUIREMENTS = 32;
    static final int REQUIRED_VALUES = 1_024;

    private RequestBounds() {}
}
