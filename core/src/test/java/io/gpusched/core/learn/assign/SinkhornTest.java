package io.gpusched.core.learn.assign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.learn.ScoreSettings;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/// The ten documented behaviours of the published solver, and some that it lacked.
final class SinkhornTest {
    private static double[][] random(int jobs, int gpus, double most, long seed) {
        var random = new Random(seed);
        var cost = new double[jobs][gpus];
        for (double[] row : cost) {
            Arrays.setAll(row, gpu -> random.nextDouble(0, most));
        }
        return cost;
    }

    private static double[] ones(int count) {
        var ones = new double[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static void assertMargins(double[][] plan, double[] supply, double[] demand) {
        for (int job = 0; job < supply.length; job++) {
            assertThat(Arrays.stream(plan[job]).sum()).isCloseTo(supply[job], within(1e-3));
        }
        for (int gpu = 0; gpu < demand.length; gpu++) {
            int at = gpu;
            assertThat(Arrays.stream(plan).mapToDouble(row -> row[at]).sum())
                    .isCloseTo(demand[gpu], within(1e-3));
        }
    }

    private static double entropy(double[][] plan) {
        return -Arrays.stream(plan)
                .flatMapToDouble(Arrays::stream)
                .map(weight -> weight <= 0 ? 0 : weight * Math.log(weight))
                .sum();
    }

    @Test
    void bothSumsAreKept() {
        double[] supply = {0.5, 0.5};
        double[] demand = {0.3, 0.7};
        double[][] plan = Sinkhorn.DEFAULT.plan(new double[][] {{1, 2}, {3, 1}}, supply, demand);
        assertMargins(plan, supply, demand);
    }

    @Test
    void noKindGetsMoreThanItsPart() {
        double[][] cost = {{1, 2}, {2, 1}, {1.5, 1.5}};
        var weights = Sinkhorn.DEFAULT.assign(cost, new double[] {2, 1});
        assertThat(weights).hasSize(3);
        for (int gpu = 0; gpu < 2; gpu++) {
            int at = gpu;
            double sum = weights.stream().mapToDouble(w -> w.getOrDefault(at, 0.0)).sum();
            assertThat(sum).isLessThanOrEqualTo(2 - gpu + 1e-3);
        }
    }

    @Test
    void allWeightsAreNumbers() {
        for (long seed = 0; seed < 20; seed++) {
            double[][] plan =
                    Sinkhorn.DEFAULT.plan(
                            random(5, 4, 10, seed), ones(5), new double[] {1, 1, 1, 2});
            assertThat(Arrays.stream(plan).flatMapToDouble(Arrays::stream))
                    .as("seed %s", seed)
                    .allMatch(weight -> Double.isFinite(weight) && weight >= 0);
        }
    }

    @Test
    void everyJobIsAssignedWhole() {
        var weights = Sinkhorn.DEFAULT.assign(random(4, 3, 5, 1), new double[] {2, 1, 1});
        for (var each : weights) {
            double sum = each.values().stream().mapToDouble(Double::doubleValue).sum();
            assertThat(sum).isBetween(0.8, 1.2).isCloseTo(1, within(1e-5));
        }
    }

    @Test
    void jobsGoWhereTheyAreCheap() {
        double[][] cost = {{0.1, 5}, {5, 0.1}};
        var weights = Sinkhorn.DEFAULT.assign(cost, new double[] {1, 1});
        assertThat(weights.getFirst().get(0)).isGreaterThan(0.9);
        assertThat(weights.getLast().get(1)).isGreaterThan(0.9);
    }

    @Test
    void anEmptyProblemHasAnEmptyPlan() {
        assertThat(Sinkhorn.DEFAULT.assign(new double[0][0], new double[] {1})).isEmpty();
        assertThat(Sinkhorn.DEFAULT.assign(new double[][] {{}}, new double[0])).isEmpty();
    }

    @Test
    void moreSmoothingMeansMoreEntropy() {
        double[][] cost = random(4, 4, 3, 5);
        double[][] blurred = new Sinkhorn(1, 100, 1e-6).plan(cost, ones(4), ones(4));
        double[][] sharp = new Sinkhorn(0.01, 100, 1e-6).plan(cost, ones(4), ones(4));
        assertThat(entropy(blurred)).isGreaterThan(entropy(sharp));
    }

    @Test
    void equalProblemsHaveEqualPlans() {
        double[][] cost = random(6, 3, 10, 9);
        assertThat(Sinkhorn.DEFAULT.assign(cost, new double[] {2, 2, 2}))
                .isEqualTo(Sinkhorn.DEFAULT.assign(cost, new double[] {2, 2, 2}));
    }

    @Test
    void batchAssignmentIsOffByDefault() {
        assertThat(ScoreSettings.DEFAULT.batches()).isFalse();
    }

    @Test
    void oneJobAndOneKindBelongTogether() {
        assertThat(Sinkhorn.DEFAULT.assign(new double[][] {{7}}, new double[] {3}).getFirst())
                .containsOnlyKeys(0);
    }

    @Test
    void hugeCostsDoNotVanish() {
        double[] supply = ones(5);
        double[] demand = {1, 1, 1, 2};
        for (double most : new double[] {1e3, 1e6, 1e12}) {
            double[][] plan = Sinkhorn.DEFAULT.plan(random(5, 4, most, 3), supply, demand);
            assertMargins(plan, supply, demand);
        }
    }
}
