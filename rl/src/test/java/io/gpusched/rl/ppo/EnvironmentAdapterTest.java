package io.gpusched.rl.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;
import io.gpusched.rl.Lookahead;
import io.gpusched.sim.generate.BenchmarkWorkload;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Trains each architecture a little on small episodes of the real environment.
final class EnvironmentAdapterTest {
    private static final EnvironmentSettings SETTINGS =
            new EnvironmentSettings(
                    new BenchmarkWorkload(30, 4, 1000, BenchmarkWorkload.Spacing.BURSTY, 1000),
                    8,
                    200,
                    1.3,
                    Lookahead.CDF);

    private static LearningEnvironment environment() {
        return new EnvironmentAdapter(new Environment(SETTINGS), Baseline.INDEX);
    }

    private static TrainedNetwork train(Architecture architecture, int threadCount) {
        ModelShape shape = ModelShape.of(architecture, "cdf", 8, 4);
        var policy = TrainedNetwork.initial(shape.policy(), 1, "policy");
        var value = TrainedNetwork.initial(shape.value(), 1, "value");
        PpoSettings settings = TestSettings.settings().make();
        try (var threads = new WorkerThreads(threadCount)) {
            var ppo =
                    new Ppo(
                            settings,
                            policy,
                            value,
                            EnvironmentAdapterTest::environment,
                            threads,
                            1);
            for (int i = 1; i <= 4; i++) {
                UpdateResult result = ppo.update(i, settings.rate());
                assertThat(result.invalidPart()).isZero();
            }
        }
        return policy;
    }

    @ParameterizedTest
    @EnumSource(Architecture.class)
    void trainingIsTheSameOnAnyNumberOfThreadsAndNeverTakesAnInvalidAction(
            Architecture architecture) {
        assertThat(train(architecture, 2).weights()).isEqualTo(train(architecture, 1).weights());
    }

    @Test
    void aTrainedPolicyPlaysTheSameInAnEvaluation() {
        TrainedNetwork policy = train(Architecture.ATTN, 2);
        PolicyEvaluation.Result ours;
        try (var threads = new WorkerThreads(2)) {
            ours =
                    new PolicyEvaluation(500, 2, 3, true)
                            .of(
                                    policy.network(),
                                    policy.weights(),
                                    EnvironmentAdapterTest::environment,
                                    threads);
        }
        var player = new NetworkPolicy("LEARNED", policy.network(), policy.weights());
        var theirs = new Evaluation(500, 2, 3).of(player, new Environment(SETTINGS));
        assertThat(theirs.blocks()).isEqualTo(ours.blocks());
        assertThat(theirs.invalid()).isZero();
        assertThat(theirs.waits()).isEqualTo(ours.noopPart(), within(1e-12));
    }

    @Test
    void theAdviceIsThatOfTheTeacher() {
        var environment = new Environment(SETTINGS);
        var learning = new EnvironmentAdapter(environment, Baseline.SJF);
        learning.reset(3);
        while (!learning.isOver()) {
            int advice = learning.advice();
            assertThat(advice)
                    .isEqualTo(
                            Baseline.SJF.choose(environment.observation(), environment.random()));
            assertThat(learning.allowed()[advice]).isTrue();
            learning.step(advice);
        }
    }
}
