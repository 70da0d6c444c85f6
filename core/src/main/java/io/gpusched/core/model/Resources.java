package io.gpusched.core.model;

/// Host resources of a task or a node: CPU and memory.
public record Resources(long milliCpu, long memoryMiB) {
    public static final Resources NONE = new Resources(0, 0);

    public Resources {
        Check.that(
                milliCpu >= 0 && memoryMiB >= 0,
                "resources are not negative, found %s milli-CPU and %s MiB",
                milliCpu,
                memoryMiB);
    }

    public static Resources cores(long cores, long memoryMiB) {
        return new Resources(cores * 1000, memoryMiB);
    }

    public Resources plus(Resources other) {
        return new Resources(milliCpu + other.milliCpu, memoryMiB + other.memoryMiB);
    }

    public Resources times(int count) {
        return new Resources(milliCpu * count, memoryMiB * count);
    }

    public boolean fitsIn(Resources free) {
        return milliCpu <= free.milliCpu && memoryMiB <= free.memoryMiB;
    }
}
