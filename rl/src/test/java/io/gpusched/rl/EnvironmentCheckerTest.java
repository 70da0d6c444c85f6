package io.gpusched.rl;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.generate.BenchmarkWorkload;
import io.gpusched.sim.generate.BenchmarkWorkload.Spacing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

final class EnvironmentCheckerTest {
    private static final long SEED = 2_000_001;
    private static final EnvironmentSettings SMALL = settings(40, 4, 10, Lookahead.CDF);

    private static EnvironmentSettings settings(
            int jobs, int gpus, int window, Lookahead lookahead) {
        var workload = new BenchmarkWorkload(jobs, gpus, 1000, Spacing.BURSTY, 1000);
        return new EnvironmentSettings(workload, window, 2000, 1.3, lookahead);
    }

    static List<EnvironmentSettings> several() {
        var atOnce = new BenchmarkWorkload(60, 8, 100, Spacing.ALL_AT_ZERO, 100);
        var single = new BenchmarkWorkload(1, 1, 0.01, Spacing.BURSTY, 0);
        return List.of(
                EnvironmentSettings.USUAL,
                settings(3, 1, 1, Lookahead.PER_GPU),
                settings(200, 64, 7, Lookahead.SORTED),
                settings(30, 5, 100, Lookahead.OFF),
                new EnvironmentSettings(atOnce, 50, 2000, 1.3, Lookahead.CDF),
                new EnvironmentSettings(atOnce, 50, 17, 1.3, Lookahead.PER_GPU),
                new EnvironmentSettings(atOnce, 10, 2000, 0.01, Lookahead.PER_GPU),
                new EnvironmentSettings(single, 2, 50, 1.3, Lookahead.SORTED));
    }

    @ParameterizedTest
    @MethodSource("several")
    void theEnvironmentKeepsTheContract(EnvironmentSettings settings) {
        for (long seed = SEED; seed < SEED + 5; seed++) {
            assertThat(EnvironmentChecker.problems(() -> new Environment(settings), seed))
                    .as("seed %s", seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Lookahead.class)
    void theContractHoldsInEveryLookaheadMode(Lookahead lookahead) {
        EnvironmentSettings settings = settings(50, 6, 20, lookahead);
        for (long seed = SEED; seed < SEED + 5; seed++) {
            assertThat(EnvironmentChecker.problems(() -> new Environment(settings), seed))
                    .as("seed %s", seed)
                    .isEmpty();
        }
    }

    /// An environment with one fault.
    private static class Faulty implements GymEnvironment {
        final Environment real = new Environment(SMALL);
        int steps;

        @Override
        public int observed() {
            return real.observed();
        }

        @Override
        public int actions() {
            return real.actions();
        }

        @Override
        public int maxSteps() {
            return real.maxSteps();
        }

        @Override
        public int totalJobs() {
            return real.totalJobs();
        }

        @Override
        public Observation reset(long seed) {
            return real.reset(seed);
        }

        @Override
        public Step step(int action) {
            steps++;
            return real.step(action);
        }

        @Override
        public boolean[] mask() {
            return real.mask();
        }

        @Override
        public Observation observation() {
            return real.observation();
        }
    }

    @Test
    void aMaskThatForbidsWaitingIsAProblem() {
        var problems =
                EnvironmentChecker.problems(
                        () ->
                                new Faulty() {
                                    @Override
                                    public boolean[] mask() {
                                        boolean[] mask = real.mask();
                                        mask[0] = steps < 3;
                                        return mask;
                                    }
                                },
                        SEED);
        assertThat(problems).first().asString().isEqualTo("after step 3: waiting is masked");
    }

    @Test
    void aMaskThatStepDoesNotKnowIsAProblem() {
        var problems =
                EnvironmentChecker.problems(
                        () ->
                                new Faulty() {
                                    @Override
                                    public Step step(int action) {
                                        Step step = super.step(action);
                                        return new Step(
                                                step.reward(),
                                                step.terminated(),
                                                step.truncated(),
                                                false,
                                                step.terminal());
                                    }
                                },
                        SEED);
        assertThat(problems).first().asString().contains("impossible by the mask");
    }

    @Test
    void anEpisodeThatRemembersTheOneBeforeIsAProblem() {
        var problems =
                EnvironmentChecker.problems(
                        () ->
                                new Faulty() {
                                    @Override
                                    public Step step(int action) {
                                        Step step = super.step(action);
                                        return new Step(
                                                step.reward() + steps,
                                                step.terminated(),
                                                step.truncated(),
                                                step.invalid(),
                                                step.terminal());
                                    }
                                },
                        SEED);
        assertThat(problems).first().asString().startsWith("played again in the same environment");
    }

    @Test
    void aNumberOutOfRangeIsAProblem() {
        var problems =
                EnvironmentChecker.problems(
                        () ->
                                new Faulty() {
                                    @Override
                                    public Step step(int action) {
                                        Step step = super.step(action);
                                        real.observation().numbers()[45] = Float.NaN;
                                        return step;
                                    }
                                },
                        SEED);
        assertThat(problems).contains("after step 1: expected number 45 from 0 to 1, found NaN");
    }

    @Test
    void aStepAfterTheEndIsAProblem() {
        var problems =
                EnvironmentChecker.problems(
                        () ->
                                new Faulty() {
                                    private boolean over;

                                    @Override
                                    public Observation reset(long seed) {
                                        over = false;
                                        return super.reset(seed);
                                    }

                                    @Override
                                    public Step step(int action) {
                                        Step step =
                                                over
                                                        ? new Step(0, true, false, false, 0)
                                                        : super.step(action);
                                        over |= step.isLast();
                                        return step;
                                    }
                                },
                        SEED);
        assertThat(problems).containsExactly("a step after the end of the episode was not refused");
    }
}
