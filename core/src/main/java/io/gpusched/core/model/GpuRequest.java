package io.gpusched.core.model;

/// The GPUs that one task asks for.
public sealed interface GpuRequest {
    /// A task without GPUs.
    record None() implements GpuRequest {}

    /// Whole GPUs, each with at least `memoryMiB`.
    ///
    /// @param minBandwidth the least bandwidth of each pair of them, in GB/s, both directions
    ///        together as data sheets count; 0 for no requirement
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

        /// Whether the links between the GPUs matter. A single GPU has no pairs.
        public boolean isParticular() {
            return count > 1
                    && (minBandwidth > 0
                            || locality == Locality.SAME_SOCKET
                            || locality == Locality.NVLINK);
        }
    }

    /// MIG slices of one profile, on any GPUs of a node. Use [#slices] to create one; the record
    /// itself accepts any text, because a journal may name a profile that was removed since.
    record Slice(String profile, int count) implements GpuRequest {}

    /// A part of each of `count` GPUs, in thousandths of its compute and MiB of its memory. Where
    /// no memory is given, the share of memory equals the share of compute. Use [#shares] to create
    /// one.
    record Share(int milli, int memoryMiB, int count) implements GpuRequest {
        /// The memory it uses on a GPU with `all` MiB.
        public int memoryOf(int all) {
            return memoryMiB > 0 ? memoryMiB : (int) ((long) all * milli / 1000);
        }
    }

    /// `count` whole GPUs, anywhere on the node; no GPUs for 0.
    static GpuRequest whole(int count, int memoryMiB) {
        return count == 0 ? new None() : new Whole(count, memoryMiB, Locality.ANY, 0);
    }

    /// `count` slices of a profile that at least one card has.
    static GpuRequest slices(String profile, int count) {
        Check.that(
                count >= 1 && count <= Gpu.MOST_PER_NODE,
                "a task asks for 1 to %s slices, found %s",
                Gpu.MOST_PER_NODE,
                count);
        Check.that(MigGpuModel.anyNamed(profile) != null, "no card has a profile %s", profile);
        return new Slice(profile, count);
    }

    /// Parts of `count` GPUs.
    static GpuRequest shares(int milli, int memoryMiB, int count) {
        Check.that(
                milli >= 1 && milli < 1000,
                "a share is 1 to 999 thousandths of a GPU, found %s",
                milli);
        Check.that(memoryMiB >= 0, "GPU memory is not negative, found %s", memoryMiB);
        Check.that(
                count >= 1 && count <= Gpu.MOST_PER_NODE,
                "a task asks for shares of 1 to %s GPUs, found %s",
                Gpu.MOST_PER_NODE,
                count);
        return new Share(milli, memoryMiB, count);
    }

    /// Thousandths of GPUs, which is what quotas count.
    default long milliGpus() {
        return switch (this) {
            case None none -> 0;
            case Whole whole -> whole.count * 1000L;
            case Slice slice -> {
                MigProfile profile = MigGpuModel.anyNamed(slice.profile);
                yield profile == null ? 0 : (long) profile.milli() * slice.count;
            }
            case Share share -> (long) share.milli * share.count;
        };
    }

    /// How many distinct GPUs a task uses; 0 for none.
    default int devices() {
        return switch (this) {
            case None none -> 0;
            case Whole whole -> whole.count;
            case Slice slice -> 0;
            case Share share -> share.count;
        };
    }

    /// Memory requested on each GPU; 0 for no requirement.
    default int memoryMiBEach() {
        return switch (this) {
            case None none -> 0;
            case Whole whole -> whole.memoryMiB;
            case Slice slice -> 0;
            case Share share -> share.memoryMiB;
        };
    }
}
