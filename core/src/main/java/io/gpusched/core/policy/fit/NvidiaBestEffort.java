package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Topology;

import java.util.ArrayList;
import java.util.List;

/// Chooses whole GPUs exactly as the best-effort policy of NVIDIA's device plug-in does, for
/// clusters that migrate from it and want the same answers.
///
/// The available GPUs, in the order of their indices, are partitioned into sets of the requested
/// size. If the number is not a multiple, one set is smaller. Of all partitions the one with the
/// most points inside its sets wins, the first of them in the order of indices; from it the set
/// with the most points is taken, the first on ties. So unlike [LinkedSets] it plans for more jobs
/// of the same size, and does not care where it takes a single GPU: always the lowest.
///
///     DGX-1 V100, all eight free, two wanted → 0 3   (then 1 2, 4 7, 5 6)
///
/// The number of partitions grows fast with the number of GPUs: two million for pairs of sixteen.
/// Where all GPUs are connected equally, as by switches, the first partition wins, and nothing is
/// tried.
public final class NvidiaBestEffort {
    private final Topology topology;
    private final List<Integer> elements = new ArrayList<>();
    private final long required;
    private final int size;
    private final int padding;
    private final List<Long> sets = new ArrayList<>();
    private List<Long> best = List.of();
    private int bestPoints = -1;

    private NvidiaBestEffort(Topology topology, long available, long required, int size) {
        this.topology = topology;
        this.required = required;
        this.size = size;
        for (long rest = available; rest != 0; rest &= rest - 1) {
            elements.add(Long.numberOfTrailingZeros(rest));
        }
        this.padding = (size - elements.size() % size) % size;
    }

    /// The GPUs to take, one bit each; 0 when there is no such set.
    ///
    /// @param required GPUs that must be among them
    public static long choose(Topology topology, long available, long required, int size) {
        boolean possible =
                size >= 1
                        && size <= Long.bitCount(available)
                        && (required & ~available) == 0
                        && Long.bitCount(required) <= size;
        if (!possible) {
            return 0;
        }
        if (Long.bitCount(required) == size) {
            return required;
        }
        if (Long.bitCount(available) == size) {
            return available;
        }
        if (size == 1) {
            return Long.lowestOneBit(available);
        }
        if (required == 0 && alike(topology, available)) {
            return lowest(available, size);
        }
        return new NvidiaBestEffort(topology, available, required, size).parted();
    }

    static long lowest(long available, int count) {
        long taken = 0;
        long rest = available;
        for (int i = 0; i < count; i++) {
            taken |= Long.lowestOneBit(rest);
            rest &= rest - 1;
        }
        return taken;
    }

    /// Whether all pairs of these have the same points.
    static boolean alike(Topology topology, long gpus) {
        if (topology.size() == 0) {
            return true;
        }
        int seen = -1;
        for (long a = gpus; a != 0; a &= a - 1) {
            for (long b = a & (a - 1); b != 0; b &= b - 1) {
                int points =
                        topology.points(
                                Long.numberOfTrailingZeros(a), Long.numberOfTrailingZeros(b));
                if (seen >= 0 && points != seen) {
                    return false;
                }
                seen = points;
            }
        }
        return true;
    }

    private long parted() {
        long all = 0;
        for (int gpu : elements) {
            all |= 1L << gpu;
        }
        part(all, padding > 0, 0);
        long chosen = 0;
        int most = -1;
        for (long set : best) {
            int points = points(set);
            if (Long.bitCount(set) == size && (set & required) == required && points > most) {
                chosen = set;
                most = points;
            }
        }
        return chosen;
    }

    /// @param small whether the smaller set is still to come
    private void part(long left, boolean small, int points) {
        if (left == 0) {
            if (points > bestPoints && holdsRequired()) {
                bestPoints = points;
                best = List.copyOf(sets);
            }
            return;
        }
        long first = Long.lowestOneBit(left);
        extend(first, left & ~first, left, small, points);
    }

    /// Adds members to the set in all ways, lower indices first. Padding comes after every GPU, so
    /// a set is closed early only when all longer ones have been tried.
    private void extend(long set, long open, long left, boolean small, int points) {
        if (Long.bitCount(set) == size) {
            close(set, left, small, points);
            return;
        }
        for (long rest = open; rest != 0; rest &= rest - 1) {
            long next = Long.lowestOneBit(rest);
            extend(set | next, rest & ~next, left, small, points);
        }
        if (small && Long.bitCount(set) == size - padding) {
            close(set, left, false, points);
        }
    }

    private void close(long set, long left, boolean small, int points) {
        sets.add(set);
        part(left & ~set, small, points + points(set));
        sets.removeLast();
    }

    private boolean holdsRequired() {
        if (required == 0) {
            return true;
        }
        for (long set : sets) {
            if (Long.bitCount(set) == size && (set & required) == required) {
                return true;
            }
        }
        return false;
    }

    private int points(long set) {
        int sum = 0;
        for (long a = set; a != 0; a &= a - 1) {
            for (long b = a & (a - 1); b != 0; b &= b - 1) {
                sum +=
                        topology.points(
                                Long.numberOfTrailingZeros(a), Long.numberOfTrailingZeros(b));
            }
        }
        return sum;
    }
}
