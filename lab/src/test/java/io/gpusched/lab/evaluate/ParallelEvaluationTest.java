package io.gpusched.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.rl.Baseline;
import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Evaluation;
import io.gpusched.rl.ppo.WorkerThreads;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;

final class ParallelEvaluationTest {
    @ParameterizedTest
    @EnumSource(names = {"RAND_FEAS_NO0", "INDEX"})
    void manyThreadsGiveTheResultOfOne(Baseline player) {
        var evaluation = new Evaluation(77, 2, 5);
        var over = new ArrayList<Boolean>();
        try (var threads = new WorkerThreads(3)) {
            var parallel =
                    new ParallelEvaluation(
                            EnvironmentSettings.USUAL, threads, () -> over.add(true));
            assertThat(parallel.of(evaluation, () -> player))
                    .isEqualTo(evaluation.of(player, new Environment(EnvironmentSettings.USUAL)));
        }
        assertThat(over).hasSize(10);
    }
}
