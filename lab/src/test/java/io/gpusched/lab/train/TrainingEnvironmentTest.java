package io.gpusched.lab.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.rl.ppo.Architecture;
import io.gpusched.rl.ppo.BadCheckpoint;
import io.gpusched.rl.ppo.ModelShape;
import io.gpusched.rl.ppo.Preset;
import io.gpusched.rl.ppo.TrainingPlan;

import org.junit.jupiter.api.Test;

final class TrainingEnvironmentTest {
    private final EnvironmentParameters given =
            new EnvironmentParameters(4, 10, 300, 500, 30, "all_at_zero", 20.0, 1.5, "cdf");

    @Test
    void theDescriptionOfAPlanGivesTheSameSettings() {
        assertThat(TrainingEnvironment.of("f", plan(TrainingEnvironment.describe(given))))
                .isEqualTo(given.settings());
    }

    @Test
    void anotherEnvironmentIsRefused() {
        assertThatThrownBy(() -> TrainingEnvironment.of("f", plan("a trace")))
                .isInstanceOf(BadCheckpoint.class)
                .hasMessageStartingWith("f: ")
                .hasMessageEndingWith("a trace");
    }

    private TrainingPlan plan(String environment) {
        return new TrainingPlan(
                "baseline_stable",
                Preset.BASELINE_STABLE.settings(),
                ModelShape.of(
                        Architecture.MLP,
                        given.lookaheadMode(),
                        given.maxQueueSize(),
                        given.numGpus()),
                environment,
                2048,
                1,
                1,
                1,
                1,
                1,
                true,
                100);
    }
}
