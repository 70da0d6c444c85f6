package io.gpusched.core.model;

/// The total capacity of all nodes that take new tasks, in use or not.
public record Capacity(long milliGpus, long milliCpu, long memoryMiB) {
    public static final Capacity NOTHING = new Capacity(0, 0, 0);

    public Capacity plus(Node node) {
        return with(node, 1);
    }

    public Capacity minus(Node node) {
        return with(node, -1);
    }

    private Capacity with(Node node, int sign) {
        return new Capacity(
                milliGpus + sign * 1000L * node.gpus().size(),
                milliCpu + sign * node.host().milliCpu(),
                memoryMiB + sign * node.host().memoryMiB());
    }

    /// The largest fraction of any resource that this much is; a resource of which there is none
    /// does not count.
    public double dominantShare(double gpus, double cpu, double memory) {
        double gpuShare = milliGpus == 0 ? 0 : gpus / milliGpus;
        double cpuShare = milliCpu == 0 ? 0 : cpu / milliCpu;
        double memoryShare = memoryMiB == 0 ? 0 : memory / memoryMiB;
        return Math.max(gpuShare, Math.max(cpuShare, memoryShare));
    }
}
