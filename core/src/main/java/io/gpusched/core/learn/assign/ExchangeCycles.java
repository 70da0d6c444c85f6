package io.gpusched.core.learn.assign;

import java.util.Arrays;

/// Finds cycles of jobs whose exchange makes an assignment cheaper: a job of the first kind of GPU
/// moves to the second, one from there to the third, and the last one to the first, or to a free
/// place.
///
///     job 1 on A, cheaper on B; job 2 on B, cheaper on C; C has a free place   →   A has one
///
/// The kinds are the nodes of a graph; the length of the edge from one to another is the lowest
/// cost of moving a job over. A cycle of negative length makes the total cheaper, and an assignment
/// without one is optimal. They are found by Bellman-Ford, in the cube of the number of kinds,
/// independently of the number of jobs.
final class ExchangeCycles {
    private static final double CHEAPER = 1e-12;

    private final double[][] cost;
    private final int[] left;
    private final int[] places;
    private final int kinds;
    private final int nowhere;
    private final int free;
    private final double[][] length;
    private final int[][] sent;

    /// @param left free places of each kind, updated here
    /// @param places of jobs, updated here
    ExchangeCycles(double[][] cost, int[] left, int[] places) {
        this.cost = cost;
        this.left = left;
        this.places = places;
        this.kinds = left.length;
        this.nowhere = kinds;
        this.free = kinds + 1;
        this.length = new double[kinds + 2][kinds + 2];
        this.sent = new int[kinds + 2][kinds + 2];
    }

    /// Applies one cycle; false when no cycle makes the total cheaper.
    boolean applyOne() {
        measure();
        int nodes = kinds + 2;
        var reach = new double[nodes];
        var from = new int[nodes];
        int last = -1;
        for (int iteration = 0; iteration < nodes; iteration++) {
            last = -1;
            for (int one = 0; one < nodes; one++) {
                for (int other = 0; other < nodes; other++) {
                    if (reach[one] + length[one][other] < reach[other] - CHEAPER) {
                        reach[other] = reach[one] + length[one][other];
                        from[other] = one;
                        last = other;
                    }
                }
            }
            if (last < 0) {
                return false;
            }
        }
        for (int step = 0; step < nodes; step++) {
            last = from[last];
        }
        turn(last, from);
        return true;
    }

    private void measure() {
        for (double[] row : length) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        for (int job = 0; job < places.length; job++) {
            int one = places[job] == Matching.NOWHERE ? nowhere : places[job];
            for (int other = 0; other <= kinds; other++) {
                double way = of(job, other) - of(job, one);
                if (other != one && way < length[one][other]) {
                    length[one][other] = way;
                    sent[one][other] = job;
                }
            }
        }
        for (int kind = 0; kind < kinds; kind++) {
            length[free][kind] = 0;
            length[kind][free] = left[kind] > 0 ? 0 : Double.POSITIVE_INFINITY;
        }
    }

    private double of(int job, int kind) {
        return kind == nowhere ? 0 : cost[job][kind];
    }

    private void turn(int start, int[] from) {
        int to = start;
        do {
            int one = from[to];
            if (to == free) {
                left[one]--;
            } else if (one == free) {
                left[to]++;
            } else {
                places[sent[one][to]] = to == nowhere ? Matching.NOWHERE : to;
            }
            to = one;
        } while (to != start);
    }
}
