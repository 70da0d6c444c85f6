package io.gpusched.core.learn.assign;

import java.util.Arrays;
import java.util.stream.IntStream;

/// Assigns each job one kind of GPU, or none, within the capacity of each kind.
///
/// A plan of [Sinkhorn] says how well each job suits each kind, with all other jobs taken into
/// account. Jobs are then assigned in the order of the plan's confidence. [ExchangeCycles] recovers
/// the cost of the plan's smoothing: a better plan leaves fewer cycles to find, and without any
/// left the matching is optimal if all jobs need the same number of places. Otherwise only jobs of
/// equal size are exchanged, and the matching is good rather than optimal.
public final class Matching {
    /// The place of a job that got none.
    public static final int NOWHERE = -1;

    private static final int CYCLES_PER_JOB = 20;

    /// Keeps arguments of logarithms positive.
    private static final double TINY = 1e-9;

    private final double[][] cost;
    private final int[] sizes;
    private final int[] left;
    private final int[] places;

    private Matching(double[][] cost, int[] sizes, int[] capacities) {
        this.cost = cost;
        this.sizes = sizes;
        this.left = capacities.clone();
        this.places = new int[cost.length];
        Arrays.fill(places, NOWHERE);
    }

    /// For each job the index of the kind of GPU it gets, or [#NOWHERE] where all kinds it may use
    /// are full. An infinite cost forbids a kind.
    public static int[] of(double[][] cost, int[] capacities, Sinkhorn sinkhorn) {
        int[] one = new int[cost.length];
        Arrays.fill(one, 1);
        return of(cost, one, capacities, sinkhorn);
    }

    /// The same for jobs that need several places of one kind.
    public static int[] of(double[][] cost, int[] sizes, int[] capacities, Sinkhorn sinkhorn) {
        if (cost.length == 0 || capacities.length == 0) {
            int[] nowhere = new int[cost.length];
            Arrays.fill(nowhere, NOWHERE);
            return nowhere;
        }
        var matching = new Matching(cost, sizes, capacities);
        matching.take(matching.weights(sinkhorn));
        matching.fill();
        matching.improve();
        return matching.places;
    }

    /// A dummy job without cost absorbs places that no job needs, and a dummy kind more expensive
    /// than all others absorbs jobs for which there is no place.
    private double[][] weights(Sinkhorn sinkhorn) {
        int jobs = cost.length;
        int gpus = left.length;
        long room = Arrays.stream(left).asLongStream().sum();
        var wide = new double[jobs + 1][gpus + 1];
        double dear = 1;
        for (double[] row : cost) {
            for (double each : row) {
                dear = Double.isFinite(each) ? Math.max(dear, 2 * Math.abs(each)) : dear;
            }
        }
        for (int job = 0; job < jobs; job++) {
            System.arraycopy(cost[job], 0, wide[job], 0, gpus);
            wide[job][gpus] = dear;
        }
        var supply = new double[jobs + 1];
        double requested = 0;
        for (int job = 0; job < jobs; job++) {
            supply[job] = sizes[job];
            requested += sizes[job];
        }
        supply[jobs] = Math.max(TINY, (double) room);
        var demand = new double[gpus + 1];
        for (int gpu = 0; gpu < gpus; gpu++) {
            demand[gpu] = Math.max(TINY, left[gpu]);
        }
        demand[gpus] = requested;
        double[][] plan = sinkhorn.blurred(wide, supply, demand);
        for (int job = 0; job < jobs; job++) {
            for (int gpu = 0; gpu < gpus; gpu++) {
                plan[job][gpu] /= sizes[job];
            }
        }
        return plan;
    }

    private void take(double[][] weights) {
        int gpus = left.length;
        var order = new Long[cost.length * gpus];
        Arrays.setAll(order, at -> (long) at);
        Arrays.sort(
                order,
                (one, other) -> {
                    double first = weights[(int) (one / gpus)][(int) (one % gpus)];
                    double second = weights[(int) (other / gpus)][(int) (other % gpus)];
                    int by = Double.compare(second, first);
                    return by != 0 ? by : Long.compare(one, other);
                });
        for (long at : order) {
            int job = (int) (at / gpus);
            int gpu = (int) (at % gpus);
            if (places[job] == NOWHERE
                    && left[gpu] >= sizes[job]
                    && Double.isFinite(cost[job][gpu])) {
                places[job] = gpu;
                left[gpu] -= sizes[job];
            }
        }
    }

    /// A job that found all its kinds full gets a place if a job there can move to another kind.
    private void fill() {
        for (int job = 0; job < places.length; job++) {
            if (places[job] == NOWHERE) {
                makeRoom(job, new boolean[left.length]);
            }
        }
    }

    private boolean makeRoom(int job, boolean[] tried) {
        for (int gpu = 0; gpu < left.length; gpu++) {
            if (tried[gpu] || !Double.isFinite(cost[job][gpu])) {
                continue;
            }
            tried[gpu] = true;
            if (left[gpu] >= sizes[job]) {
                left[gpu] -= sizes[job];
                places[job] = gpu;
                return true;
            }
            for (int other = 0; other < places.length; other++) {
                if (places[other] == gpu && sizes[other] == sizes[job] && makeRoom(other, tried)) {
                    places[job] = gpu;
                    return true;
                }
            }
        }
        return false;
    }

    /// Exchanges jobs of equal size in cycles as long as that makes the total cheaper.
    private void improve() {
        Arrays.stream(sizes).distinct().sorted().forEach(this::improve);
    }

    private void improve(int size) {
        int[] jobs = IntStream.range(0, sizes.length).filter(j -> sizes[j] == size).toArray();
        var costs = new double[jobs.length][];
        var at = new int[jobs.length];
        for (int i = 0; i < jobs.length; i++) {
            costs[i] = cost[jobs[i]];
            at[i] = places[jobs[i]];
        }
        var free = new int[left.length];
        Arrays.setAll(free, gpu -> left[gpu] / size);
        int[] before = free.clone();
        var exchangeCycles = new ExchangeCycles(costs, free, at);
        int cycles = 0;
        while (cycles < CYCLES_PER_JOB * jobs.length && exchangeCycles.applyOne()) {
            cycles++;
        }
        for (int gpu = 0; gpu < left.length; gpu++) {
            left[gpu] += (free[gpu] - before[gpu]) * size;
        }
        for (int i = 0; i < jobs.length; i++) {
            places[jobs[i]] = at[i];
        }
    }
}
