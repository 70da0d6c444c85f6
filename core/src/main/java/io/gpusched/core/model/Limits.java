package io.gpusched.core.model;

/// Upper bounds for a tenant. [#UNLIMITED] is "no bound"; 0 is "nothing".
public record Limits(
        long milliGpus, long gpuMemoryMiB, long milliCpu, long memoryMiB, long runningJobs) {
    public static final long UNLIMITED = Long.MAX_VALUE;
    public static final Limits NONE =
            new Limits(UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED);
    public static final Limits ZERO = new Limits(0, 0, 0, 0, 0);

    public Limits {
        Check.that(
                milliGpus >= 0
                        && gpuMemoryMiB >= 0
                        && milliCpu >= 0
                        && memoryMiB >= 0
                        && runningJobs >= 0,
                "limits are not negative");
    }
}
