package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;

/// The best-connected sets of GPUs of one topology, computed on request.
///
/// Of all sets of the requested size it takes the one with the most points between its members;
/// among equals, the one that leaves the most points between the remaining free GPUs; among equals,
/// the one with the lowest indices. So a single GPU is taken from where it is needed least, and
/// pairs stay pairs:
///
///     0═1  2═3   one GPU, 0 being taken → 1, because 2 and 3 are worth more together
///
/// Which GPUs may be chosen together can be limited: each has a set of allowed companions, and a
/// set is valid when all of its members allow each other.
///
/// Up to sixteen free GPUs all sets are examined, once: answers are kept by free set and size (all
/// of them for eight GPUs, the latest few thousand for more). Beyond sixteen a set is grown from
/// each GPU by its best next neighbour, which need not find the optimum.
final class LinkedSets {
    private static final int EXHAUSTIVE = 16;
    private static final int SMALL = 8;
    private static final int KEPT = 1 << 12;

    private record Answer(long free, int count, long chosen) {}

    private final Topology topology;
    private final long[] companions;
    private final @Nullable Answer[] answers;

    /// @param companions for each GPU, those it may be chosen with, one bit each
    LinkedSets(Topology topology, long[] companions) {
        this.topology = topology;
        this.companions = companions;
        this.answers = new @Nullable Answer[topology.size() <= SMALL ? (SMALL + 1) << SMALL : KEPT];
    }

    /// The set to take, one bit each; 0 when there is no valid one.
    long choose(long free, int count) {
        if (count < 1 || Long.bitCount(free) < count) {
            return 0;
        }
        int at = place(free, count);
        Answer known = answers[at];
        if (known != null && known.free == free && known.count == count) {
            return known.chosen;
        }
        long chosen =
                Long.bitCount(free) <= EXHAUSTIVE
                        ? new Exhaustive(free, count).best()
                        : grown(free, count);
        answers[at] = new Answer(free, count, chosen);
        return chosen;
    }

    private int place(long free, int count) {
        if (topology.size() <= SMALL) {
            return (int) (free * (SMALL + 1)) + count;
        }
        long mixed = (free * 67 + count) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 52);
    }

    /// Walks through all sets in the order of their indices.
    private final class Exhaustive {
        private final long free;
        private final int count;
        private final int[] degrees;
        private long best;
        private int bestInside = -1;
        private int bestLost;

        Exhaustive(long free, int count) {
            this.free = free;
            this.count = count;
            this.degrees = new int[topology.size()];
            for (long rest = free; rest != 0; rest &= rest - 1) {
                int gpu = Long.numberOfTrailingZeros(rest);
                degrees[gpu] = points(gpu, free);
            }
        }

        long best() {
            walk(0, 0, free, 0, 0);
            return best;
        }

        /// @param inside points between those chosen
        /// @param degree points between those chosen and all that are free
        private void walk(long chosen, int size, long open, int inside, int degree) {
            if (size == count) {
                // The rest loses every point that touches a chosen GPU.
                int lost = degree - inside;
                if (inside > bestInside || (inside == bestInside && lost < bestLost)) {
                    best = chosen;
                    bestInside = inside;
                    bestLost = lost;
                }
                return;
            }
            for (long rest = open; Long.bitCount(rest) >= count - size; rest &= rest - 1) {
                int gpu = Long.numberOfTrailingZeros(rest);
                walk(
                        chosen | 1L << gpu,
                        size + 1,
                        rest & (rest - 1) & companions[gpu],
                        inside + points(gpu, chosen),
                        degree + degrees[gpu]);
            }
        }
    }

    private int points(int gpu, long others) {
        int sum = 0;
        for (long rest = others; rest != 0; rest &= rest - 1) {
            sum += topology.points(gpu, Long.numberOfTrailingZeros(rest));
        }
        return sum;
    }

    private long grown(long free, int count) {
        long best = 0;
        int bestInside = -1;
        for (long seeds = free; seeds != 0; seeds &= seeds - 1) {
            int seed = Long.numberOfTrailingZeros(seeds);
            long chosen = 1L << seed;
            long open = free & companions[seed] & ~chosen;
            int inside = 0;
            while (Long.bitCount(chosen) < count && open != 0) {
                int next = nearest(chosen, open);
                inside += points(next, chosen);
                chosen |= 1L << next;
                open &= companions[next] & ~chosen;
            }
            if (Long.bitCount(chosen) == count && inside > bestInside) {
                best = chosen;
                bestInside = inside;
            }
        }
        return best;
    }

    private int nearest(long chosen, long open) {
        int best = -1;
        int most = -1;
        for (long rest = open; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            int points = points(gpu, chosen);
            if (points > most) {
                most = points;
                best = gpu;
            }
        }
        return best;
    }
}
