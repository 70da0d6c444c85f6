package io.gpusched.core.engine;

import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.ScoreTerm;
import io.gpusched.core.policy.ScoreWeights;
import io.gpusched.core.policy.score.DataLocality;
import io.gpusched.core.policy.score.ModelCache;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.PoolId;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Where replicas of pools go.
final class PoolLocalityTest {
    private static Scene scene(String placer) {
        EngineSettings settings = PoolBuilder.settings();
        var placement = new PlacementSettings(placer, ScoreWeights.DEFAULT, 0, false);
        return new Scene("priority", settings.with(settings.policy().with(placement)));
    }

    private static List<String> put(Scene scene, PoolBuilder pool) {
        Answer answer = scene.tell(new Command.PutPool(pool.build(), "me"));
        return ((Answer.Accepted) answer).warnings();
    }

    private static JobId first(Scene scene, String pool) {
        var entry = scene.engine().state().pools().find(new PoolId(pool));
        return Objects.requireNonNull(Objects.requireNonNull(entry).replica(0)).job();
    }

    private static LocalityRules near(int percent) {
        return new LocalityRules(List.of("docs"), percent, List.of(), 0, 0, "");
    }

    @Test
    void aReplicaGoesNearItsStore() {
        Scene scene = scene("five-term");
        scene.join(
                aNode("roomy: 8×A100").build(),
                aNode("store: 4×A100").label(DataLocality.HELD, "docs").build());
        put(scene, aPool().named("plain").from(1, 1));
        put(scene, aPool().named("rag").from(1, 1).locality(near(60)));
        assertThat(scene.where(first(scene, "plain"))).startsWith("roomy");
        assertThat(scene.where(first(scene, "rag"))).startsWith("store");
        assertThat(scene.engine().state().models().use().near()).isEqualTo(1);
    }

    @Test
    void aReplicaWithoutStoresMayShareANodeWithOne() {
        Scene scene = scene("five-term");
        scene.join(aNode("store: 4×A100").label(DataLocality.HELD, "docs, notes").build());
        put(scene, aPool().named("plain").model("llama").from(1, 1));
        assertThat(scene.where(first(scene, "plain"))).startsWith("store");
        var use = scene.engine().state().models().use();
        assertThat(use.starts()).isEqualTo(1);
        assertThat(use.located()).isZero();
    }

    @Test
    void theWeightIsAPartOfTheScore() {
        Scene scene = scene("five-term");
        scene.join(aNode("n1: 8×A100").label(DataLocality.HELD, "docs").build());
        put(scene, aPool().from(1, 1).locality(near(60)));
        var because = new ArrayList<String>();
        scene.journal()
                .replay(
                        0,
                        batch -> {
                            for (Event event : batch.decided()) {
                                if (event instanceof Event.AttemptPlaced placed) {
                                    because.add(placed.because());
                                }
                            }
                        });
        List<ScoreTerm> terms = ScoreTerm.read(because.getFirst());
        double locality =
                terms.stream()
                        .filter(term -> term.scorer().equals(DataLocality.NAME))
                        .findFirst()
                        .orElseThrow()
                        .weight();
        assertThat(locality / ScoreTerm.weights(terms)).isEqualTo(0.6);
    }

    @Test
    void aReplicaKeepsAwayFromThePoolsThatItNames() {
        Scene scene = scene("five-term");
        scene.join(aNode("n1: 8×A100").build(), aNode("n2: 4×A100").build());
        put(scene, aPool().named("noisy").from(1, 1));
        assertThat(scene.where(first(scene, "noisy"))).startsWith("n1");
        var apart = new LocalityRules(List.of(), 60, List.of("noisy"), 0, 0, "");
        put(scene, aPool().named("quiet").from(1, 1).locality(apart));
        assertThat(scene.where(first(scene, "quiet"))).startsWith("n2");
    }

    @Test
    void theWeightOfTheCacheChangesTheChoice() {
        assertThat(whereWithCacheWeight(1)).startsWith("roomy");
        assertThat(whereWithCacheWeight(80)).startsWith("cached");
    }

    private static String whereWithCacheWeight(int percent) {
        Scene scene = scene("five-term");
        scene.join(aNode("roomy: 8×A100").build(), aNode("cached: 2×A100").build());
        scene.tell(new Report.ModelCached(new NodeId("cached"), "llama", CacheState.CACHED));
        var rules = new LocalityRules(List.of(), 0, List.of(), percent, 0, "");
        scene.tell(new Command.PutModel(ModelPreloadingTest.model("llama", 0), "me"));
        put(scene, aPool().model("llama").from(1, 1).locality(rules));
        return scene.where(first(scene, "chat"));
    }

    @Test
    void aPolicyThatDoesNotReadTheRulesIsWarnedAbout() {
        Scene scene = scene("best-fit");
        scene.join(aNode("n1: 8×A100").build());
        assertThat(put(scene, aPool().locality(near(0))))
                .containsExactly(
                        "pool chat: near, apart and weight of locality choose no node, because the"
                                + " policy in force has no scorer data-locality; use the placement"
                                + " strategy five-term (scheduler.placement)");
        var cache = new LocalityRules(List.of(), 0, List.of(), 30, 0, "");
        assertThat(put(scene, aPool().locality(cache)))
                .hasSize(1)
                .allMatch(text -> text.contains("no scorer " + ModelCache.NAME));
        assertThat(put(scene("five-term"), aPool().locality(near(0))))
                .noneMatch(text -> text.contains("scorer"));
    }
}
