package io.gpusched.core.learn.assign;

import java.util.Arrays;

/// Gives each job one kind of GPU, or none, and never more jobs to a kind than it has places.
///
/// A plan of [Sinkhorn] says how well each job goes with each kind when all the others are counted
/// in; jobs are then taken by how sure the plan is of them. What the blur cost is won back by
/// [Rings]: the better the plan, the fewer of them are left to find, and when none is left the
/// matching is the cheapest there is.
public final class Matching {
    /// The place of a job that got none.
    public static final int NOWHERE = -1;

    private static final int RINGS_PER_JOB = 20;

    /// Logarithms want something.
    private static final double TINY = 1e-9;

    private final double[][] cost;
    private final int[] left;
    private final int[] places;

    private Matching(double[][] cost, int[] capacities) {
        this.cost = cost;
        this.left = capacities.clone();
        this.places = new int[cost.length];
        Arrays.fill(places, NOWHERE);
    }

    /// For each job the kind of GPU it gets, or [#NOWHERE] where all that it may use are taken. An
    /// infinite cost forbids.
    public static int[] of(double[][] cost, int[] capacities, Sinkhorn sinkhorn) {
        if (cost.length == 0 || capacities.length == 0) {
            int[] nowhere = new int[cost.length];
            Arrays.fill(nowhere, NOWHERE);
            return nowhere;
        }
        var matching = new Matching(cost, capacities);
        matching.take(matching.weights(sinkhorn));
        matching.fill();
        matching.improve();
        return matching.places;
    }

    /// Places nobody needs are taken by a job that costs nothing anywhere, and jobs for which there
    /// is no place go to a kind that is dearer than all others.
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
        Arrays.fill(supply, 1);
        supply[jobs] = Math.max(TINY, (double) room);
        var demand = new double[gpus + 1];
        for (int gpu = 0; gpu < gpus; gpu++) {
            demand[gpu] = Math.max(TINY, left[gpu]);
        }
        demand[gpus] = jobs;
        return sinkhorn.blurred(wide, supply, demand);
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
            if (places[job] == NOWHERE && left[gpu] > 0 && Double.isFinite(cost[job][gpu])) {
                places[job] = gpu;
                left[gpu]--;
            }
        }
    }

    /// A job that found all it may use taken gets a place if one of those who have it can go
    /// elsewhere.
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
            if (left[gpu] > 0) {
                left[gpu]--;
                places[job] = gpu;
                return true;
            }
            for (int other = 0; other < places.length; other++) {
                if (places[other] == gpu && makeRoom(other, tried)) {
                    places[job] = gpu;
                    return true;
                }
            }
        }
        return false;
    }

    /// Lets jobs change places in rings as long as one of them makes the whole cheaper.
    private void improve() {
        var rings = new Rings(cost, left, places);
        for (int ring = 0; ring < RINGS_PER_JOB * places.length; ring++) {
            if (!rings.turnOne()) {
                return;
            }
        }
    }
}
