package io.gpusched.core.policy.score;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Command;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.core.policy.ScoreWeights;
import io.gpusched.core.policy.TurnOutcome;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Tests of the five score terms, one at a time and together.
final class FiveTermTest {
    @Test
    void theUsualWeightsAreThoseOfTheGuide() {
        Scene scene = scene(ScoreWeights.DEFAULT, 0, aNode("n1").build());
        assertThat(terms(scene, scene.submit(aJob())))
                .extracting(ScoreTerm::scorer, ScoreTerm::weight)
                .containsExactly(
                        tuple("availability", 30),
                        tuple("topology", 25),
                        tuple("model-cache", 20),
                        tuple("cost", 15),
                        tuple("data-locality", 10));
    }

    @Test
    void theNodeWithTheMostAvailableIsPreferred() {
        Scene scene =
                scene(
                        new ScoreWeights(1, 0, 0, 0, 0),
                        0,
                        aNode("small").gpus(4).build(),
                        aNode("large").gpus(8).build());
        JobId first = scene.submit(aJob().gpus(2));
        assertThat(scene.where(first)).startsWith("large");
        JobId second = scene.submit(aJob().gpus(4));
        assertThat(scene.where(second)).as("6 of 8 are still more than 4 of 4").startsWith("large");
        JobId third = scene.submit(aJob());
        assertThat(scene.where(third)).startsWith("small");
    }

    @Test
    void theNodeThatHasTheModelIsPreferred() {
        Scene scene =
                scene(
                        ScoreWeights.DEFAULT,
                        0,
                        aNode("a").build(),
                        aNode("b").label(ModelCache.CACHED, "mixtral,llama-7b").build(),
                        aNode("c").label(ModelCache.CACHED, "mixtral, llama-70b").build());
        JobId named = scene.submit(aJob().label(ModelCache.MODEL, "llama-70b"));
        assertThat(scene.where(named)).startsWith("c");
        JobId unnamed = scene.submit(aJob());
        assertThat(scene.where(unnamed)).as("any cache is better than none").startsWith("b");
        JobId stranger = scene.submit(aJob().label(ModelCache.MODEL, "llama"));
        assertThat(scene.where(stranger)).as("a part of a name is no hit").startsWith("a");
    }

    @Test
    void wellConnectedGpusArePreferredByTasksThatNeedSeveral() {
        Scene scene =
                scene(
                        new ScoreWeights(0, 1, 0, 0, 0),
                        0,
                        aNode("unknown").build(),
                        aNode("pcie").model("L4").wired().build(),
                        aNode("nvlink").model("A100-80GB").wired().build());
        assertThat(scene.where(scene.submit(aJob()))).as("one GPU: all alike").startsWith("unkn");
        JobId pair = scene.submit(aJob().gpus(8));
        assertThat(scene.where(pair)).startsWith("nvlink");
        assertThat(terms(scene, pair).getFirst().cost()).isZero();
        JobId next = scene.submit(aJob().gpus(4));
        assertThat(scene.where(next)).as("better than not knowing").startsWith("pcie");
    }

    @Test
    void theCheapestNodeIsPreferredAndSpotOnlyByInterruptibleJobs() {
        Scene scene =
                scene(
                        new ScoreWeights(0, 0, 0, 1, 0),
                        0,
                        aNode("dear").label("type", "p5").build(),
                        aNode("cheap").label("type", "p4d").build(),
                        aNode("spot").label("type", "p4d-spot").build(),
                        aNode("unknown").build());
        price(scene, "p5", 4_800_000, false);
        price(scene, "p4d", 2_400_000, false);
        price(scene, "p4d-spot", 1_200_000, true);
        assertThat(scene.where(scene.submit(aJob()))).startsWith("cheap");
        JobId flexible = scene.submit(aJob().label(NodeCost.SPOT, "true"));
        assertThat(scene.where(flexible)).startsWith("spot");
        assertThat(terms(scene, flexible).getFirst().cost()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void anInvalidPriceIsRefused() {
        Scene scene = scene(ScoreWeights.DEFAULT, 0, aNode("n1").build());
        var wrong = new Market("type", "p5", -1, 0, false);
        assertThat(scene.tell(new Command.SetMarket(wrong, "test")).toString())
                .contains("price")
                .contains("nearest is 0");
    }

    @Test
    void nodesCloseToTheDataArePreferredAndAntiAffinityIsRespected() {
        Scene scene =
                scene(
                        new ScoreWeights(0, 0, 0, 0, 1),
                        0,
                        aNode("far").build(),
                        aNode("rack").label(DataLocality.NEARBY, "weaviate-0").build(),
                        aNode("near").label(DataLocality.HELD, "weaviate-0").build());
        JobBuilder job = aJob().label(DataLocality.STORES, "weaviate-0").gpus(8).kind("rag");
        assertThat(scene.where(scene.submit(job))).startsWith("near");
        assertThat(scene.where(scene.submit(job))).startsWith("rack");
        Scene shared = scene(new ScoreWeights(0, 0, 0, 0, 1), 0, node("one"), node("two"));
        assertThat(shared.where(shared.submit(aJob().kind("batch")))).startsWith("one");
        JobId quiet = shared.submit(aJob().label(DataLocality.APART, "training, batch"));
        assertThat(shared.where(quiet)).startsWith("two");
    }

    @Test
    void nodesWithPreferredLabelsAreAmongTheFewThatAreScored() {
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < 300; i++) {
            nodes.add(aNode("n" + i).label("hostname", "h" + i).build());
        }
        nodes.add(aNode("has-it").label("hostname", "x").label(ModelCache.CACHED, "gpt").build());
        Scene scene = scene(ScoreWeights.DEFAULT, 10, nodes.toArray(Node[]::new));
        JobId job = scene.submit(aJob().label(ModelCache.MODEL, "gpt"));
        assertThat(scene.where(job)).startsWith("has-it");
        var work = Objects.requireNonNull(scene.last()).work();
        assertThat(work.candidatesScored()).isEqualTo(10);
        assertThat(work.nodesLookedAt()).as("and the one asked for its group").isEqualTo(11);
    }

    @Test
    void negativeOrAllZeroWeightsAreRefused() {
        assertThat(ScoreWeights.DEFAULT.fault()).isNull();
        assertThat(new ScoreWeights(0, 0, 0, 0, 0).fault()).contains("above 0");
        assertThat(new ScoreWeights(1, -2, 0, 0, 0).fault())
                .contains("-2")
                .contains("nearest is 0");
    }

    @Test
    void allTermsTogetherAreWorthPointsOutOfAHundred() {
        Scene scene = scene(ScoreWeights.DEFAULT, 0, aNode("n1").gpus(1).build());
        JobId first = scene.submit(aJob());
        List<ScoreTerm> terms = terms(scene, first);
        assertThat(ScoreTerm.points(terms)).as("0 and .5 and 1 and .3 and .5").isEqualTo(58);
    }

    private static Tuple tuple(String name, double weight) {
        return Tuple.tuple(name, weight);
    }

    private static Node node(String name) {
        return aNode(name).build();
    }

    private static void price(Scene scene, String type, long micro, boolean spot) {
        scene.tell(new Command.SetMarket(new Market("type", type, micro, 0, spot), "test"));
    }

    private static List<ScoreTerm> terms(Scene scene, JobId job) {
        var turnOutcome = Objects.requireNonNull(scene.last()).attempts().get(job);
        return ((TurnOutcome.Placed) Objects.requireNonNull(turnOutcome)).terms();
    }

    private static Scene scene(ScoreWeights weights, int most, Node... nodes) {
        var placement = new PlacementSettings("five-term", weights, most, false);
        EngineSettings usual = EngineSettings.DEFAULT;
        var settings =
                EngineSettings.builder()
                        .policy(PolicySettings.DEFAULT.with(placement))
                        .maxWaiting(usual.maxWaiting())
                        .assumedRuntime(usual.assumedRuntime())
                        .build();
        var scene = new Scene("priority", settings);
        scene.join(nodes);
        return scene;
    }
}
