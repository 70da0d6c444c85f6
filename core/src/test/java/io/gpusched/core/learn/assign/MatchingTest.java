package io.gpusched.core.learn.assign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

final class MatchingTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private static double cost(double[][] cost, int[] places) {
        double sum = 0;
        for (int job = 0; job < places.length; job++) {
            sum += places[job] == Matching.NOWHERE ? 0 : cost[job][places[job]];
        }
        return sum;
    }

    private static void assertFits(int[] places, int[] capacities) {
        var used = new int[capacities.length];
        for (int place : places) {
            if (place != Matching.NOWHERE) {
                used[place]++;
            }
        }
        for (int gpu = 0; gpu < used.length; gpu++) {
            assertThat(used[gpu]).isLessThanOrEqualTo(capacities[gpu]);
        }
    }

    @Test
    void everyJobGetsAPlaceAtTheLowestTotalCost() {
        for (long seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            int jobs = 1 + random.nextInt(30);
            int gpus = 1 + random.nextInt(6);
            var capacities = new int[gpus];
            Arrays.setAll(capacities, gpu -> random.nextInt(8));
            capacities[0] = jobs;
            double most = Math.pow(10, random.nextInt(-2, 5));
            var costs = new double[jobs][gpus];
            for (double[] row : costs) {
                Arrays.setAll(row, gpu -> random.nextDouble(most));
            }
            int[] places = Matching.of(costs, capacities, Sinkhorn.DEFAULT);
            assertFits(places, capacities);
            assertThat(places).as("seed %s", seed).doesNotContain(Matching.NOWHERE);
            assertThat(cost(costs, places))
                    .as("seed %s", seed)
                    .isCloseTo(Hungarian.cost(costs, capacities), within(1e-6 * most));
        }
    }

    @Test
    void beyondCapacitySomeJobsGetNoPlace() {
        double[][] costs = {{3}, {1}, {2}};
        assertThat(Matching.of(costs, new int[] {2}, Sinkhorn.DEFAULT))
                .containsExactly(Matching.NOWHERE, 0, 0);
    }

    @Test
    void forbiddenKindsAreAvoidedByMovingOtherJobs() {
        double[][] costs = {{1, 2}, {1, NEVER}, {NEVER, NEVER}};
        assertThat(Matching.of(costs, new int[] {1, 1}, Sinkhorn.DEFAULT))
                .containsExactly(1, 0, Matching.NOWHERE);
    }

    @Test
    void anEmptyProblemHasAnEmptyMatching() {
        assertThat(Matching.of(new double[0][0], new int[] {1}, Sinkhorn.DEFAULT)).isEmpty();
        assertThat(Matching.of(new double[][] {{}}, new int[0], Sinkhorn.DEFAULT))
                .containsExactly(Matching.NOWHERE);
        assertThat(Matching.of(new double[][] {{1}}, new int[] {0}, Sinkhorn.DEFAULT))
                .containsExactly(Matching.NOWHERE);
    }

    @Test
    void jobsOfSeveralPlacesNeverExceedTheCapacity() {
        for (long seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            int jobs = 1 + random.nextInt(20);
            int gpus = 1 + random.nextInt(5);
            var sizes = new int[jobs];
            Arrays.setAll(sizes, job -> 1 << random.nextInt(4));
            var capacities = new int[gpus];
            Arrays.setAll(capacities, gpu -> random.nextInt(32));
            var costs = new double[jobs][gpus];
            for (double[] row : costs) {
                Arrays.setAll(row, gpu -> random.nextInt(8) == 0 ? NEVER : random.nextDouble());
            }
            int[] places = Matching.of(costs, sizes, capacities, Sinkhorn.DEFAULT);
            for (int job = 0; job < jobs; job++) {
                if (places[job] != Matching.NOWHERE) {
                    capacities[places[job]] -= sizes[job];
                    assertThat(costs[job][places[job]]).as("seed %s", seed).isFinite();
                }
            }
            assertThat(Arrays.stream(capacities).min().orElse(0))
                    .as("seed %s", seed)
                    .isNotNegative();
        }
    }
}
