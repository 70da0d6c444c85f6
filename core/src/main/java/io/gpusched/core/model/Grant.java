package io.gpusched.core.model;

import java.util.List;

/// The GPUs a task holds on a node.
public sealed interface Grant {
    record None() implements Grant {}

    /// Whole GPUs, one bit each.
    record Whole(long gpus) implements Grant {}

    /// A number of GPUs, where another system picks the devices (a Kubernetes device plug-in).
    record Counted(int count) implements Grant {}

    record Slices(List<MigSlot> at) implements Grant {
        public Slices {
            at = List.copyOf(at);
        }
    }

    /// The same part of each GPU whose bit is set.
    record Shares(long gpus, int milli, int memoryMiB) implements Grant {}

    /// The GPUs used, one bit each; 0 where they are only counted.
    default long mask() {
        return switch (this) {
            case None none -> 0;
            case Whole whole -> whole.gpus;
            case Counted counted -> 0;
            case Slices slices ->
                    slices.at.stream().mapToLong(s -> 1L << s.gpu()).reduce(0, (a, b) -> a | b);
            case Shares shares -> shares.gpus;
        };
    }
}
