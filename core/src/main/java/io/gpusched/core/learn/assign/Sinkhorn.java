package io.gpusched.core.learn.assign;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Assigns jobs to kinds of GPUs at a low total cost: optimal transport, smoothed by an entropy
/// term that makes it quick to solve.
///
/// The plan is `exp((f + g − cost) / ε)` with one number `f` for each job and one `g` for each kind
/// of GPU, which are corrected in turn (Sinkhorn's iteration). Everything stays in logarithms: with
/// `exp(−cost / ε)` itself, costs above some 74 would vanish at the usual ε. The remaining error of
/// the iteration is spread over the plan at the end (as in Altschuler, Weed and Rigollet), so that
/// both sums are kept exactly.
///
/// One iteration costs jobs times kinds. A smaller ε gives a sharper plan and needs more
/// iterations.
///
/// @param epsilon the amount of smoothing
/// @param rounds the most iterations
/// @param tolerance the iteration ends when everything changes by a smaller fraction
public record Sinkhorn(double epsilon, int rounds, double tolerance) {
    public static final Sinkhorn DEFAULT = new Sinkhorn(0.1, 100, 1e-6);

    /// Smaller weights count as zero.
    private static final double TRACE = 1e-6;

    /// How much of each job goes where: rows sum to `supply`, columns to `demand`; both have the
    /// same total.
    public double[][] plan(double[][] cost, double[] supply, double[] demand) {
        double[][] plan = blurred(cost, supply, demand);
        MarginScaling.correct(plan, supply, demand);
        return plan;
    }

    /// For each job, the fraction of it that goes to each kind of GPU, without negligible ones.
    /// Capacities are relative: they are scaled to the number of jobs.
    public List<SequencedMap<Integer, Double>> assign(double[][] cost, double[] capacities) {
        if (cost.length == 0 || capacities.length == 0) {
            return List.of();
        }
        double room = 0;
        for (double capacity : capacities) {
            room += capacity;
        }
        var demand = new double[capacities.length];
        for (int gpu = 0; gpu < demand.length; gpu++) {
            demand[gpu] = capacities[gpu] * cost.length / room;
        }
        var supply = new double[cost.length];
        Arrays.fill(supply, 1);
        var weights = new ArrayList<SequencedMap<Integer, Double>>(cost.length);
        for (double[] row : plan(cost, supply, demand)) {
            var each = new LinkedHashMap<Integer, Double>();
            for (int gpu = 0; gpu < row.length; gpu++) {
                if (row[gpu] > TRACE) {
                    each.put(gpu, row[gpu]);
                }
            }
            weights.add(each);
        }
        return weights;
    }

    /// The plan before its sums are corrected. An infinite cost forbids a kind, and gets nothing.
    double[][] blurred(double[][] cost, double[] supply, double[] demand) {
        int jobs = supply.length;
        int gpus = demand.length;
        var byJob = new double[jobs];
        var byGpu = new double[gpus];
        Arrays.fill(byJob, -StrictMath.log(jobs));
        for (int iteration = 0; iteration < rounds; iteration++) {
            for (int gpu = 0; gpu < gpus; gpu++) {
                byGpu[gpu] = StrictMath.log(demand[gpu]) - overJobs(cost, byJob, gpu);
            }
            double moved = 0;
            for (int job = 0; job < jobs; job++) {
                double next = StrictMath.log(supply[job]) - overGpus(cost[job], byGpu);
                next = Double.isFinite(next) ? next : Double.NEGATIVE_INFINITY;
                double change = Math.abs(next - byJob[job]);
                moved = Double.isNaN(change) ? moved : Math.max(moved, change);
                byJob[job] = next;
            }
            if (moved <= tolerance) {
                break;
            }
        }
        var plan = new double[jobs][gpus];
        for (int job = 0; job < jobs; job++) {
            for (int gpu = 0; gpu < gpus; gpu++) {
                double weight = StrictMath.exp(byJob[job] + byGpu[gpu] - cost[job][gpu] / epsilon);
                plan[job][gpu] = Double.isFinite(weight) ? weight : 0;
            }
        }
        return plan;
    }

    private double overJobs(double[][] cost, double[] byJob, int gpu) {
        double most = Double.NEGATIVE_INFINITY;
        for (int job = 0; job < byJob.length; job++) {
            most = Math.max(most, byJob[job] - cost[job][gpu] / epsilon);
        }
        if (most == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double sum = 0;
        for (int job = 0; job < byJob.length; job++) {
            sum += StrictMath.exp(byJob[job] - cost[job][gpu] / epsilon - most);
        }
        return most + StrictMath.log(sum);
    }

    private double overGpus(double[] cost, double[] byGpu) {
        double most = Double.NEGATIVE_INFINITY;
        for (int gpu = 0; gpu < byGpu.length; gpu++) {
            most = Math.max(most, byGpu[gpu] - cost[gpu] / epsilon);
        }
        if (most == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double sum = 0;
        for (int gpu = 0; gpu < byGpu.length; gpu++) {
            sum += StrictMath.exp(byGpu[gpu] - cost[gpu] / epsilon - most);
        }
        return most + StrictMath.log(sum);
    }
}
