package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.ModelOrder;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.HeldModel;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.CachedModel;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Models that nodes load ahead of need, and that leave full caches.
final class ModelPreloadingTest {
    private static final long GIGABYTE = 1_000_000_000L;

    private final Scene scene = new Scene("priority", PoolBuilder.settings());

    static ModelSpec model(String name, int priority) {
        return model(name, priority, ModelSpec.Eviction.LOW_PRIORITY, Duration.ZERO);
    }

    private static ModelSpec model(
            String name, int priority, ModelSpec.Eviction eviction, Duration pin) {
        return new ModelSpec(
                name,
                "file:/models/" + name,
                30 * GIGABYTE,
                Duration.ZERO,
                priority,
                eviction,
                pin,
                List.of(),
                "",
                "");
    }

    private static NodeBuilder cache(String node, int gigabytes) {
        return aNode(node).label(ModelSpec.CACHE_LABEL, Integer.toString(gigabytes));
    }

    private static PoolBuilder pool(String name, String model, int minCached) {
        return aPool().named(name)
                .model(model)
                .from(0, 4)
                .locality(new LocalityRules(List.of(), 0, List.of(), 0, minCached, ""));
    }

    private void put(ModelSpec model) {
        scene.tell(new Command.PutModel(model, "me"));
    }

    private void put(PoolBuilder pool) {
        scene.tell(new Command.PutPool(pool.build(), "me"));
    }

    private void holds(String node, HeldModel... models) {
        scene.tell(new Report.NodeModels(new NodeId(node), List.of(models)));
    }

    private static HeldModel held(String model) {
        return new HeldModel(model, CacheState.CACHED, 30 * GIGABYTE, "");
    }

    private static HeldModel failed(String model) {
        return new HeldModel(model, CacheState.FAILED, 0, "no such file");
    }

    private List<String> wanted(String model) {
        return scene.engine().state().models().nodes(model).values().stream()
                .filter(CachedModel::wanted)
                .map(each -> each.node().name())
                .toList();
    }

    private List<ModelOrder> orders(String node) {
        return Objects.requireNonNull(scene.assignment(node)).models();
    }

    private List<Event> decided() {
        var events = new ArrayList<Event>();
        scene.journal().replay(0, batch -> events.addAll(batch.decided()));
        events.removeIf(e -> !(e instanceof Event.ModelWanted || e instanceof Event.ModelUnwanted));
        return events;
    }

    @Test
    void aPoolKeepsItsModelOnTheNodesWithTheMostFreeGpus() {
        scene.join(
                cache("a: 4×A100", 0).build(),
                cache("b: 8×A100", 0).build(),
                cache("c: 6×A100", 0).build(),
                cache("cpu: 0×A100", 0).build(),
                aNode("without: 8×A100").build());
        put(model("llama", 1));
        put(pool("chat", "llama", 2));
        assertThat(wanted("llama")).containsExactly("b", "c");
        assertThat(orders("b"))
                .containsExactly(
                        new ModelOrder("llama", "file:/models/llama", 30 * GIGABYTE, false));
        assertThat(decided())
                .first()
                .isEqualTo(
                        new Event.ModelWanted(
                                scene.now(),
                                new NodeId("b"),
                                "llama",
                                "pool chat keeps it on 2 nodes"));
    }

    @Test
    void onlyNodesWithThePreloadLabelAreUsed() {
        scene.join(
                cache("a: 8×A100", 0).build(), cache("b: 4×A100", 0).label("tier", "gold").build());
        put(model("llama", 1));
        var rules = new LocalityRules(List.of(), 0, List.of(), 0, 2, "tier=gold");
        put(pool("chat", "llama", 0).locality(rules));
        assertThat(wanted("llama")).containsExactly("b");
    }

    @Test
    void whatWasChosenStaysAlthoughFreeGpusChange() {
        scene.join(cache("a: 4×A100", 0).build(), cache("b: 8×A100", 0).build());
        put(model("llama", 1));
        put(pool("chat", "llama", 1));
        JobId job = scene.submit(aJob().gpus(8));
        scene.runs(job);
        scene.pass(Duration.ofMinutes(5));
        holds("b", held("llama"));
        scene.pass(Duration.ofMinutes(5));
        assertThat(wanted("llama")).containsExactly("b");
        assertThat(decided()).hasSize(1);
    }

    @Test
    void aModelIsWantedNoLongerWhenItsPoolGoes() {
        scene.join(cache("a: 4×A100", 0).build());
        put(model("llama", 1));
        put(pool("chat", "llama", 1));
        holds("a", held("llama"));
        scene.tell(new Command.RemovePool(new PoolId("chat"), "me"));
        scene.pass(Duration.ofSeconds(20));
        assertThat(wanted("llama")).isEmpty();
        assertThat(scene.engine().state().models().holds(new NodeId("a"), "llama")).isTrue();
        scene.tell(new Command.RemoveModel("llama", false, "me"));
        assertThat(orders("a")).containsExactly(new ModelOrder("llama", "", 0, true));
        holds("a");
        assertThat(scene.engine().state().models().cached()).isEmpty();
    }

    @Test
    void aNodeThatCannotLoadTheModelIsReplacedButNotWithoutEnd() {
        scene.join(
                cache("a: 8×A100", 0).build(),
                cache("b: 4×A100", 0).build(),
                cache("c: 2×A100", 0).build());
        put(model("llama", 1));
        put(pool("chat", "llama", 1));
        holds("a", failed("llama"));
        scene.pass(Duration.ofSeconds(20));
        assertThat(wanted("llama")).containsExactly("a", "b");
        holds("b", failed("llama"));
        scene.pass(Duration.ofMinutes(3));
        assertThat(wanted("llama")).as("as many may fail as are asked for").hasSizeLessThan(3);
        assertThat(decided()).hasSizeLessThan(4);
    }

    @Test
    void aFullCacheGivesUpTheModelOfLowestPriorityThatWasUsedLeastRecently() {
        scene.join(cache("a: 8×A100", 100).build());
        put(model("old", 1));
        put(model("older", 1));
        put(model("dear", 3));
        holds("a", held("older"));
        scene.pass(Duration.ofSeconds(1));
        holds("a", held("older"), held("old"), held("dear"));
        put(model("llama", 2));
        put(pool("chat", "llama", 1));
        assertThat(orders("a"))
                .containsExactly(
                        new ModelOrder("llama", "file:/models/llama", 30 * GIGABYTE, false),
                        new ModelOrder("older", "file:/models/older", 30 * GIGABYTE, true));
    }

    @Test
    void modelsThatAreUsedPinnedOrNeverEvictedStay() {
        scene.join(cache("a: 8×A100", 100).build());
        put(model("used", 0));
        put(model("kept", 0, ModelSpec.Eviction.NEVER, Duration.ZERO));
        put(model("pinned", 0, ModelSpec.Eviction.IDLE, Duration.ofMinutes(10)));
        holds("a", held("used"), held("kept"), held("pinned"));
        JobId job = scene.submit(aJob().label(ModelSpec.LABEL, "used"));
        scene.runs(job);
        put(model("llama", 2));
        put(pool("chat", "llama", 1));
        assertThat(wanted("llama")).isEmpty();
        scene.pass(Duration.ofMinutes(11));
        assertThat(wanted("llama")).as("the pin is over").containsExactly("a");
        assertThat(orders("a"))
                .contains(new ModelOrder("pinned", "file:/models/pinned", 30 * GIGABYTE, true));
        assertThat(scene.engine().state().models().use())
                .extracting(use -> use.starts() + "/" + use.hits())
                .isEqualTo("1/1");
    }

    @Test
    void theLastUseIsWhenAJobLeft() {
        scene.join(cache("a: 8×A100", 100).build());
        put(model("llama", 1));
        holds("a", held("llama"));
        JobId job = scene.submit(aJob().label(ModelSpec.LABEL, "llama"));
        scene.runs(job);
        scene.pass(Duration.ofMinutes(7));
        scene.completes(job);
        assertThat(scene.engine().state().models().find(new NodeId("a"), "llama"))
                .extracting(CachedModel::lastUsed)
                .isEqualTo(scene.now());
    }

    @Test
    void aModelOnNodesThatItNamesNeedsNoPool() {
        scene.join(cache("a: 8×A100", 0).build(), cache("b: 8×A100", 0).build());
        var model =
                new ModelSpec(
                        "llama",
                        "file:/m",
                        0,
                        Duration.ZERO,
                        1,
                        ModelSpec.Eviction.IDLE,
                        Duration.ZERO,
                        List.of("b", "unknown"),
                        "",
                        "");
        put(model);
        scene.pass(Duration.ofSeconds(10));
        assertThat(wanted("llama")).containsExactly("b");
    }

    @Test
    void aHigherPriorityTakesTheCacheOfALowerOneForGood() {
        scene.join(cache("a: 8×A100", 40).build());
        put(model("low", 0));
        put(pool("p1", "low", 1));
        holds("a", held("low"));
        put(model("high", 2));
        put(pool("p2", "high", 1));
        assertThat(wanted("high")).containsExactly("a");
        assertThat(wanted("low")).isEmpty();
        holds("a", held("high"));
        scene.pass(Duration.ofMinutes(5));
        assertThat(wanted("high")).containsExactly("a");
        assertThat(decided()).hasSize(3);
    }
}
