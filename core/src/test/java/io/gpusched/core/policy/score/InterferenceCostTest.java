package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.PolicySettings;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

final class InterferenceCostTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private static JobBuilder half(String kind) {
        return aJob().kind(kind).asking(GpuRequest.shares(500, 0, 1));
    }

    /// Noisy jobs slow each other down to a third; all other pairs run as fast as alone.
    private static void learn(RuntimeModel model) {
        for (int i = 0; i < 40; i++) {
            for (String kind : List.of("noisy", "calm")) {
                var profile = JobProfiles.of(half(kind).spec(), "A100");
                Instant at = NOW.plusSeconds(3L * i);
                model.observed(profile, List.of(), 1000, at);
                model.observed(profile, List.of("calm"), 1000, at);
                model.observed(profile, List.of("noisy"), kind.equals("noisy") ? 3000 : 1000, at);
            }
        }
    }

    private static InterferenceCost taught() {
        var model = new RuntimeModel();
        learn(model);
        var scorer = new InterferenceCost();
        scorer.teach(model);
        return scorer;
    }

    private static TestCluster cluster() {
        return aCluster(
                aNode("noisy: 1×A100").running(half("noisy"), "0"),
                aNode("calm: 1×A100").running(half("calm"), "0"),
                aNode("idle: 1×A100"));
    }

    @Test
    void jobsThatSlowEachOtherDownCostWhatBothLose() {
        assertThat(taught())
                .on(half("noisy"), cluster())
                .costs("noisy", 1 - 1.0 / 9, 0.05)
                .costs("calm", 0, 0.05)
                .costs("idle", 0);
    }

    @Test
    void pairsThatDoNotDisturbEachOtherCostNothing() {
        assertThat(taught()).on(half("calm"), cluster()).costs("noisy", 0, 0.05);
    }

    @Test
    void pairsThatNeverMetAreTakenForHarmless() {
        assertThat(new InterferenceCost()).on(half("noisy"), cluster()).isIndifferent();
        assertThat(taught())
                .on(half("stranger"), cluster())
                .costs("noisy", 0, 0.05)
                .costs("idle", 0);
    }

    @Test
    void wholeGpusHaveNoNeighbours() {
        TestCluster cluster =
                aCluster(
                        aNode("n1: 2×A100").running(aJob().kind("noisy"), "0"),
                        aNode("n2: 2×A100"));
        assertThat(taught()).on(aJob().kind("noisy"), cluster).isIndifferent().costs("n1", 0);
    }

    /// Two kinds that hurt each other, as the whole cell places them.
    @Test
    void jobsThatSlowEachOtherDownArePlacedApart() {
        PolicySettings settings =
                PolicySettings.DEFAULT.with(PlacementSettings.DEFAULT.withPlacer("learned"));
        var shared =
                new Scene(
                        Objects.requireNonNull(Policies.named("fifo", settings)).name(),
                        EngineSettings.builder()
                                .policy(settings)
                                .assumedRuntime(Duration.ofHours(1))
                                .build()
                                .with(PredictionSettings.USED));
        shared.join(aNode("n1: 1×A100").build(), aNode("n2: 1×A100").build());
        learn(shared.engine().learner().model());
        JobId noisy = shared.submit(half("noisy"));
        JobId calm = shared.submit(half("calm"));
        JobId other = shared.submit(half("noisy"));
        assertThat(shared.where(calm)).isEqualTo(shared.where(noisy));
        assertThat(shared.where(other)).isNotEqualTo(shared.where(noisy));
    }
}
