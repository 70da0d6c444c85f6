package io.gpusched.core.model;

/// The GPUs that one task asks for.
public sealed interface GpuRequest {
    /// A task without GPUs.
    record None() implements GpuRequest {}

    /// Whole GPUs, each with at least `memoryMiB`.
    record Whole(int count, int memoryMiB, Locality locality, long minBandwidth)
            implements GpuRequest {
        public Whole {
            Check.that(
                    count >= 1 && count <= Gpu.MOST_PER_NODE,
                    "a task asks for 1 to %s whole GPUs, found %s",
                    Gpu.MOST_PER_NODE,
                    count);
            Check.that(memoryMiB >= 0, "GPU memory is not negative, found %s", memoryMiB);
        }
    }

    /// MIG slices of one profile.
    record Slice(String profile, int count) implements GpuRequest {}

    /// A part of each of `count` GPUs, in thousandths of its compute and MiB of its memory.
    record Share(int milli, int memoryMiB, int count) implements GpuRequest {}

    /// `count` whole GPUs, wherever on the node; no GPUs for 0.
    static GpuRequest whole(int count, int memoryMiB) {
        return count == 0 ? new None() : new Whole(count, memoryMiB, Locality.ANY, 0);
    }

    /// Thousandths of GPUs, which is what quotas count.
    default long milliGpus() {
        return switch (this) {
            case None none -> 0;
            case Whole whole -> whole.count * 1000L;
            case Slice slice -> slice.count * 1000L / 7;
            case Share share -> (long) share.milli * share.count;
        };
    }

    /// How many distinct GPUs a task touches; 0 for none.
    default int devices() {
        return switch (this) {
            case None none -> 0;
            case Whole whole -> whole.count;
            case Slice slice -> 0;
            case Share share -> share.count;
        };
    }

    /// Memory asked for on each GPU, 0 where any will do.
    default int memoryMiBEach() {
        return switch (this) {
            case None none -> 0;
            case Whole whole -> whole.memoryMiB;
            case Slice slice -> 0;
            case Share share -> share.memoryMiB;
        };
    }
}
