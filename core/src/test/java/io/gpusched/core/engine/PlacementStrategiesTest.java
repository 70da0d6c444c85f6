package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

final class PlacementStrategiesTest {
    private static PolicySettings placing(String strategy) {
        return PolicySettings.DEFAULT.with(PlacementSettings.DEFAULT.withPlacer(strategy));
    }

    @Test
    void strategiesForPowerAndHeatScoreEveryNode() {
        for (String name : List.of("power-aware", "thermal-aware")) {
            Policy policy = Objects.requireNonNull(Policies.named("fifo", placing(name)));
            assertThat(policy.breadth()).isEqualTo(Policy.EVERY_NODE);
        }
    }

    /// Without it the scorers would see an empty model for ever: predictions are off here.
    @Test
    void aStrategyThatGoesByWhatWasLearnedLearnsWhateverElseIsSet() {
        assertThat(runsLearnedFrom(placing("learned"))).isEqualTo(1);
        assertThat(runsLearnedFrom(PolicySettings.DEFAULT)).isZero();
    }

    private static int runsLearnedFrom(PolicySettings settings) {
        var fleet =
                new Scene(
                        "fifo",
                        EngineSettings.builder()
                                .policy(settings)
                                .assumedRuntime(Duration.ofHours(1))
                                .build());
        fleet.join(aNode("n1: 1×A100").build());
        JobId job = fleet.submit(aJob().kind("train").gpus(1));
        fleet.runs(job);
        fleet.pass(Duration.ofMinutes(10));
        fleet.completes(job);
        return fleet.engine().learner().model().learned().size();
    }
}
