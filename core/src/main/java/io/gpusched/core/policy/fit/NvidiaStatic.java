package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Topology;

/// Chooses whole GPUs of a DGX-1 from fixed sets, as the static policy of NVIDIA's device plug-in
/// does: single GPUs in order, fixed pairs, the two fours, or all eight; no other numbers.
///
///     V100   03 12 47 56   0123 4567
///     P100   02 13 46 57   0123 4567
public final class NvidiaStatic {
    private static final long[] VOLTA_PAIRS = {0x09, 0x06, 0x90, 0x60};
    private static final long[] PASCAL_PAIRS = {0x05, 0x0a, 0x50, 0xa0};
    private static final long[] FOURS = {0x0f, 0xf0};
    private static final long[] EIGHT = {0xff};
    private static final long[] ONES = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80};
    private static final long[] NONE = {};

    private NvidiaStatic() {}

    /// The first fixed set whose GPUs are all available, one bit for each GPU; 0 when there is
    /// none.
    public static long choose(Topology topology, long available, long required, int size) {
        for (long set : sets(topology, size)) {
            if ((set & ~available) == 0 && (required & ~set) == 0) {
                return set;
            }
        }
        return 0;
    }

    private static long[] sets(Topology topology, int size) {
        if (topology.size() != 8) {
            return NONE;
        }
        return switch (size) {
            case 1 -> ONES;
            case 2 -> topology.nvlinks(0, 3) >= 2 ? VOLTA_PAIRS : PASCAL_PAIRS;
            case 4 -> FOURS;
            case 8 -> EIGHT;
            default -> NONE;
        };
    }
}
