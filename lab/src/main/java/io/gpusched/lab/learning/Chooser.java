package io.gpusched.lab.learning;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// The textbook bandit algorithms, for comparison. Each keeps, for each kind and GPU model, the
/// mean runtime of ended jobs.
final class Chooser implements Scorer {
    private static final double EPSILON = 0.1;

    private final RegretExperiment.Strategy strategy;
    private final List<String> models;
    private final long[][] chosen;
    private final long[][] ended;
    private final double[][] sums;
    private final double[][] rewards;
    private final double[] shortest;
    private final RandomGenerator random;

    Chooser(RegretExperiment.Strategy strategy, int kinds, List<String> models, long seed) {
        this.strategy = strategy;
        this.models = models;
        this.chosen = new long[kinds][models.size()];
        this.ended = new long[kinds][models.size()];
        this.sums = new double[kinds][models.size()];
        this.rewards = new double[kinds][models.size()];
        this.shortest = new double[kinds];
        Arrays.fill(shortest, Double.POSITIVE_INFINITY);
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed + 1);
    }

    /// UCB1 needs rewards from 0 to 1: the shortest run time of the kind so far by this one's.
    void ended(int kind, int model, double seconds) {
        ended[kind][model]++;
        sums[kind][model] += seconds;
        shortest[kind] = Math.min(shortest[kind], seconds);
        rewards[kind][model] += Math.min(1, shortest[kind] / seconds);
    }

    @Override
    public String name() {
        return "chooser";
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        String name = job.spec().kind();
        int kind = Integer.parseInt(name.substring(name.indexOf('-') + 1));
        int choice = strategy == RegretExperiment.Strategy.UCB1 ? ucb1(kind) : greedy(kind);
        if (strategy == RegretExperiment.Strategy.EPSILON && random.nextDouble() < EPSILON) {
            choice = random.nextInt(models.size());
        }
        chosen[kind][choice]++;
        for (int i = 0; i < candidates.size(); i++) {
            String gpu = JobProfiles.gpu(candidates.get(i).node(), candidates.get(i).grant());
            cost[i] = gpu.equals(models.get(choice)) ? 0 : 1;
        }
    }

    /// The model with the shortest mean of those tried; any where none was. Models that were
    /// never tried stay so.
    private int greedy(int kind) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int model = 0; model < models.size(); model++) {
            long runs = ended[kind][model];
            double mean = runs == 0 ? Double.POSITIVE_INFINITY : sums[kind][model] / runs;
            if (mean < least) {
                least = mean;
                best = model;
            }
        }
        return Double.isInfinite(least) ? random.nextInt(models.size()) : best;
    }

    private int ucb1(int kind) {
        long all = 0;
        for (int model = 0; model < models.size(); model++) {
            if (chosen[kind][model] == 0) {
                return model;
            }
            all += chosen[kind][model];
        }
        int best = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int model = 0; model < models.size(); model++) {
            long runs = Math.max(1, ended[kind][model]);
            double bound =
                    rewards[kind][model] / runs
                            + Math.sqrt(2 * Math.log((double) all) / chosen[kind][model]);
            if (bound > most) {
                most = bound;
                best = model;
            }
        }
        return best;
    }
}
