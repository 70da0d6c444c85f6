package io.gpusched.core.model;

/// One GPU of a node. Its index is its place in the node's list and its bit in a [Grant.Whole].
public record Gpu(int index, GpuModel model, int memoryMiB, String uuid) {
    /// A node has at most this many GPUs, so that a set of them is one long.
    public static final int MOST_PER_NODE = 64;

    public Gpu {
        Check.that(
                index >= 0 && index < MOST_PER_NODE,
                "a GPU's index is 0 to %s, found %s",
                MOST_PER_NODE - 1,
                index);
    }
}
