package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Event;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.learn.RuntimeObserver;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Tests of the scorers of energy and heat.
final class PowerAndHeatTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final Scene scene =
            Scene.with(
                    aNode("new").gpus(4).model("H100").build(),
                    aNode("old").gpus(4).model("A100").build());

    private static Job job() {
        return aJob().kind("train").gpus(1).waiting(1, NOW);
    }

    private double[] costs(Scorer scorer) {
        ClusterView cluster = scene.engine().state();
        var candidates = new ArrayList<Candidate>();
        cluster.nodes().forEach(node -> candidates.add(new Candidate(node, new Grant.Whole(3))));
        var costs = new double[candidates.size()];
        Job job = job();
        scorer.score(job, job.spec().roles().getFirst().shape(), candidates, cluster, costs);
        return costs;
    }

    @Test
    void whereNothingIsKnownTheDataSheetsDecide() {
        double[] costs = costs(new LeastEnergy());
        assertThat(costs[0]).isZero();
        assertThat(costs[1]).isCloseTo(1 - (560 / 989.0) / (320 / 312.0), within(1e-9));
    }

    @Test
    void aJobThatIsNoFasterOnTheNewCardBelongsOnTheOldOne() {
        var model = new RuntimeModel();
        for (String gpu : List.of("H100", "A100")) {
            for (int i = 0; i < 50; i++) {
                model.observed(
                        RuntimeObserver.profile(aJob().kind("train").gpus(1).spec(), gpu),
                        List.of(),
                        600,
                        NOW.plusSeconds(i));
            }
        }
        var scorer = new LeastEnergy();
        scorer.teach(model);
        double[] costs = costs(scorer);
        assertThat(costs[1]).isZero();
        assertThat(costs[0]).isCloseTo(1 - 320 / 560.0, within(0.05));
    }

    @Test
    void coolGpusOnCoolNodesAreTheBest() {
        heat("new", 0, Heat.WARM);
        heat("new", 3, Heat.HOT);
        double[] costs = costs(new CoolFirst());
        assertThat(costs[0]).isCloseTo((2 * 0.25 + 1.5 / 4) / 3, within(1e-9));
        assertThat(costs[1]).isZero();
    }

    private void heat(String node, int gpu, Heat heat) {
        scene.engine()
                .apply(
                        new Event.GpuChanged(
                                NOW, new NodeId(node), gpu, new GpuCondition(heat, true, "")));
    }

    @Test
    void anIdleNodeIsLeftAsleep() {
        assertThat(costs(new AwakeNodes())).containsExactly(1, 1);
    }

    @Test
    void thePlacementStrategiesAreAvailableByName() {
        for (String name : List.of("power-aware", "thermal-aware")) {
            var settings = EngineSettings.DEFAULT.policy();
            Policy policy =
                    Objects.requireNonNull(
                            Policies.named(
                                    "fifo",
                                    settings.with(PlacementSettings.DEFAULT.withPlacer(name))));
            assertThat(policy.breadth()).isEqualTo(Policy.EVERY_NODE);
        }
        assertThat(Policies.named("random-skip", EngineSettings.DEFAULT.policy())).isNotNull();
    }
}
