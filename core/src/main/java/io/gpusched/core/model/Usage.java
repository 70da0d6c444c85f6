package io.gpusched.core.model;

/// The resources that a tenant holds now.
public record Usage(
        long milliGpus, long gpuMemoryMiB, long milliCpu, long memoryMiB, long runningJobs) {
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    /// What one run of `spec` holds.
    public static Usage of(JobSpec spec) {
        Resources host = spec.host();
        return new Usage(
                spec.milliGpus(), spec.quotaGpuMemoryMiB(), host.milliCpu(), host.memoryMiB(), 1);
    }

    public Usage plus(Usage other) {
        return new Usage(
                milliGpus + other.milliGpus,
                gpuMemoryMiB + other.gpuMemoryMiB,
                milliCpu + other.milliCpu,
                memoryMiB + other.memoryMiB,
                runningJobs + other.runningJobs);
    }

    public Usage minus(Usage other) {
        return new Usage(
                milliGpus - other.milliGpus,
                gpuMemoryMiB - other.gpuMemoryMiB,
                milliCpu - other.milliCpu,
                memoryMiB - other.memoryMiB,
                runningJobs - other.runningJobs);
    }
}
