package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.learn.RuntimeObserver;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Tests of the scorers that use the learned model.
final class LearnedScorersTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final Scene scene =
            Scene.with(
                    aNode("slow").gpus(1).model("V100").build(),
                    aNode("fast").gpus(1).model("A100").build());
    private final RuntimeModel model = new RuntimeModel();

    private void ran(String kind, String gpu, double seconds, int times) {
        for (int i = 0; i < times; i++) {
            model.observed(
                    RuntimeObserver.profile(aJob().kind(kind).gpus(1).spec(), gpu),
                    List.of(),
                    seconds,
                    NOW.plusSeconds(i));
        }
    }

    private double[] costs(Scorer scorer, Job job) {
        ClusterView cluster = scene.engine().state();
        var candidates = new ArrayList<Candidate>();
        cluster.nodes().forEach(node -> candidates.add(new Candidate(node, new Grant.Whole(1))));
        var costs = new double[candidates.size()];
        scorer.score(job, job.spec().roles().getFirst().shape(), candidates, cluster, costs);
        return costs;
    }

    private static Job job(long number, int priority) {
        return aJob().kind("train").gpus(1).priority(priority).waiting(number, NOW);
    }

    @Test
    void whereItRunsTwiceAsFastCostsHalfLess() {
        var scorer = new ExpectedRuntime();
        scorer.teach(model);
        ran("train", "V100", 2000, 50);
        ran("train", "A100", 1000, 50);
        double[] costs = costs(scorer, job(1, 0));
        assertThat(costs[0]).isCloseTo(0.5, within(0.05));
        assertThat(costs[1]).isZero();
    }

    @Test
    void aLessKnownModelIsWorthMore() {
        var scorer = new InformationGain(new InformationGain.Cap(1, 100));
        scorer.teach(model);
        ran("train", "V100", 2000, 50);
        ran("train", "A100", 1000, 1);
        double[] costs = costs(scorer, job(1, 0));
        assertThat(costs[1]).isLessThan(costs[0]);
    }

    @Test
    void noSequenceOfJobsExploresMoreThanTheCapAndNoImportantJobDoes() {
        var cap = new InformationGain.Cap(0.1, 100);
        var lets = new ArrayList<Boolean>();
        for (int number = 1; number <= 1_000; number++) {
            lets.add(cap.lets(job(number, 100)));
            assertThat(cap.lets(job(number, 101))).isFalse();
        }
        for (int from = 0; from + 100 <= lets.size(); from++) {
            assertThat(lets.subList(from, from + 100).stream().filter(each -> each).count())
                    .as("jobs from %s", from)
                    .isEqualTo(10);
        }
    }

    @Test
    void jobsThatMayNotExploreSeeNoDifference() {
        var scorer = new InformationGain(new InformationGain.Cap(0, 100));
        scorer.teach(model);
        ran("train", "V100", 2000, 50);
        double[] costs = costs(scorer, job(1, 0));
        assertThat(costs[0]).isEqualTo(costs[1]);
    }

    /// Two kinds that slow each other down, learned from the engine's own runs.
    @Test
    void jobsThatSlowEachOtherDownArePlacedApart() {
        PolicySettings settings =
                PolicySettings.DEFAULT.with(PlacementSettings.DEFAULT.withPlacer("learned"));
        var shared =
                new Scene(
                        Objects.requireNonNull(Policies.named("fifo", settings)).name(),
                        new EngineSettings(settings, 1000, Duration.ofHours(1), false)
                                .with(PredictionSettings.USED));
        shared.join(
                aNode("n1").gpus(1).model("A100").build(),
                aNode("n2").gpus(1).model("A100").build());
        RuntimeModel learned = shared.engine().learner().model();
        for (int i = 0; i < 40; i++) {
            for (String kind : List.of("noisy", "calm")) {
                var profile = RuntimeObserver.profile(half(kind).spec(), "A100");
                learned.observed(profile, List.of(), 1000, NOW.plusSeconds(3L * i));
                learned.observed(profile, List.of("calm"), 1000, NOW.plusSeconds(3L * i));
                learned.observed(
                        profile,
                        List.of("noisy"),
                        kind.equals("noisy") ? 3000 : 1000,
                        NOW.plusSeconds(3L * i));
            }
        }
        JobId noisy = shared.submit(half("noisy"));
        JobId calm = shared.submit(half("calm"));
        JobId other = shared.submit(half("noisy"));
        assertThat(shared.where(calm)).isEqualTo(shared.where(noisy));
        assertThat(shared.where(other)).isNotEqualTo(shared.where(noisy));
    }

    /// Without this the scorers would always see an empty model: predictions are off here.
    @Test
    void aStrategyThatUsesTheModelTurnsLearningOn() {
        PolicySettings learning =
                PolicySettings.DEFAULT.with(PlacementSettings.DEFAULT.withPlacer("learned"));
        assertThat(runsLearnedFrom(learning)).isEqualTo(1);
        assertThat(runsLearnedFrom(PolicySettings.DEFAULT)).isZero();
    }

    private static int runsLearnedFrom(PolicySettings settings) {
        var fleet =
                new Scene("fifo", new EngineSettings(settings, 1000, Duration.ofHours(1), false));
        fleet.join(aNode("n1").gpus(1).model("A100").build());
        JobId job = fleet.submit(aJob().kind("train").gpus(1));
        fleet.runs(job);
        fleet.pass(Duration.ofMinutes(10));
        fleet.completes(job);
        return fleet.engine().learner().model().learned().size();
    }

    private static JobBuilder half(String kind) {
        return aJob().kind(kind).asking(GpuRequest.shares(500, 0, 1));
    }
}
