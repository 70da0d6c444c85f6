package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Task;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Spot, on demand, or another model: what the next replicas of a pool are.
final class ServingRuleTest {
    private static final PoolId CHAT = new PoolId("chat");

    private final Scene scene = new Scene("priority", PoolBuilder.settings());
    private long sequence;

    ServingRuleTest() {
        scene.join(
                aNode("paid: 8×A100").label("market", "paid").build(),
                aNode("cheap: 8×A100").label("market", "cheap").taint("spot").build());
        scene.tell(new Command.SetMarket(new Market("market", "paid", 4_000_000, 400, false), ""));
        scene.tell(new Command.SetMarket(new Market("market", "cheap", 1_000_000, 400, true), ""));
    }

    private static CostRules rules(int interruptions, boolean migrate, String other) {
        return new CostRules(
                0,
                100,
                50,
                List.of(),
                interruptions,
                Duration.ofHours(1),
                migrate,
                other,
                false,
                !other.isEmpty(),
                "");
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(CHAT));
    }

    private List<String> places() {
        return places(scene, CHAT);
    }

    private static List<String> places(Scene scene, PoolId pool) {
        return Objects.requireNonNull(scene.engine().state().pools().find(pool)).replicas().stream()
                .map(status -> scene.where(status.job()).replaceAll("\\[.*", ""))
                .toList();
    }

    private void serve(int sessions, int firstToken) {
        var loads = new ArrayList<ReplicaLoad>();
        for (ReplicaStatus status : chat().replicas()) {
            if (scene.phase(status.job()).equals("Starting")) {
                scene.runs(status.job());
            }
            if (scene.phase(status.job()).equals("Running")) {
                loads.add(seen(status.job(), true, 1));
            }
        }
        var load = PoolBuilder.load(++sequence, 0, sessions, firstToken, loads);
        scene.tell(new Report.PoolLoad(CHAT, load));
        scene.pass(Duration.ofSeconds(5));
    }

    private void put(PoolBuilder pool) {
        scene.tell(new Command.PutPool(pool.of(aJob().gpus(1)).build(), "me"));
    }

    @Test
    void atMostThePercentageRunsOnSpotCapacity() {
        put(aPool().from(4, 8).slo(1000).cost(rules(0, false, "")));
        serve(4, 300);
        assertThat(places()).containsExactlyInAnyOrder("cheap", "cheap", "paid", "paid");
    }

    /// The cheap node has no taint that would keep replicas away, and the other is too small.
    @Test
    void aReplicaOnDemandIsNotPlacedOnASpotNodeWithoutTaints() {
        var open = new Scene("priority", PoolBuilder.settings());
        open.join(
                aNode("paid: 2×A100").label("market", "paid").build(),
                aNode("cheap: 8×A100").label("market", "cheap").build());
        open.tell(new Command.SetMarket(new Market("market", "cheap", 1_000_000, 400, true), ""));
        PoolBuilder pool = aPool().of(aJob().gpus(1)).from(6, 8).cost(rules(0, false, ""));
        open.tell(new Command.PutPool(pool.build(), "me"));
        assertThat(places(open, CHAT))
                .containsExactlyInAnyOrder("cheap", "cheap", "cheap", "paid", "paid", "Waiting");
        JobId waiting = new JobId(6);
        open.tell(new Report.NodeDescribed(aNode("cheap: 8×A100").label("market", "paid").build()));
        assertThat(open.where(waiting)).as("it is no spot node any more").startsWith("cheap");
    }

    @Test
    void aPoolWithoutSpotRulesAndASelectedSpotNodeExcludeNothing() {
        put(aPool().from(1, 8).slo(1000));
        assertThat(excluded()).isEmpty();
        var onCheap = aJob().gpus(1).onNodesWith("market", "cheap").tolerating("spot");
        scene.tell(
                new Command.PutPool(
                        aPool().of(onCheap).from(2, 8).cost(rules(0, false, "")).build(), "me"));
        serve(2, 0);
        assertThat(excluded()).isEmpty();
        assertThat(places()).contains("cheap");
    }

    private List<CapacityRule.SpotLabel> excluded() {
        return chat().replicas().stream()
                .map(status -> scene.job(status.job()).spec().capacity())
                .filter(rule -> rule.kind() == CapacityRule.Kind.ON_DEMAND)
                .flatMap(rule -> rule.spot().stream())
                .toList();
    }

    @Test
    void anSloAtRiskMovesNewReplicasOnDemandAndThenToAnotherModel() {
        put(aPool().from(2, 2).slo(1000).model("large").cost(rules(0, false, "small")));
        serve(2, 1500);
        assertThat(chat().choice().rule()).isEqualTo("slo-on-demand");
        assertThat(chat().choice().spot()).isFalse();
        serveAMinute(1500);
        assertThat(chat().choice().model()).isEqualTo("small");
        serveAMinute(950);
        assertThat(chat().choice().model())
                .as("neither met with headroom nor at risk")
                .isEqualTo("small");
        serveAMinute(500);
        assertThat(chat().choice().rule()).isEqualTo("slo-met-spot");
    }

    @Test
    void aPoolThatGrowsKeepsItsChoiceUntilTheNewReplicasServe() {
        CostRules onDemand =
                new CostRules(
                        0,
                        100,
                        0,
                        List.of(),
                        0,
                        Duration.ofHours(1),
                        false,
                        "small",
                        false,
                        true,
                        "");
        put(aPool().from(1, 8).slo(1000).model("large").cost(onDemand));
        serve(1, 300);
        report(6, 1500);
        assertThat(chat().desired()).isEqualTo(6);
        assertThat(chat().choice().model()).as("it grows in this cycle").isEqualTo("large");
        report(6, 1500);
        report(6, 1500);
        assertThat(chat().choice().model()).as("five replicas load").isEqualTo("large");
        serve(6, 1500);
        serve(6, 1500);
        assertThat(chat().choice().model()).as("all six serve, and miss").isEqualTo("small");
    }

    @Test
    void aNodeHoldsTheModelThatTheReplicaLoaded() {
        put(aPool().from(2, 2).slo(1000).model("large").cost(rules(0, false, "small")));
        serve(2, 1500);
        serveAMinute(1500);
        assertThat(chat().choice().model()).isEqualTo("small");
        JobId old = chat().replicas().getFirst().job();
        scene.ends(old, Exit.How.EXITED, 1);
        serveAMinute(1500);
        JobId replica = chat().replicas().getFirst().job();
        assertThat(replica).isNotEqualTo(old);
        NodeId node = scene.run(replica).on().slots().getFirst().node();
        assertThat(scene.engine().state().models().holds(node, "small")).isTrue();
    }

    @Test
    void aLimitOfCostLeadsToTheSmallerModelAndLowLoadBackAgain() {
        CostRules limited =
                new CostRules(
                        10_000_000,
                        100,
                        0,
                        List.of(),
                        0,
                        Duration.ofHours(1),
                        false,
                        "small",
                        true,
                        false,
                        "");
        scene.tell(new Command.SetMarket(new Market("market", "paid", 3_000_000, 400, false), ""));
        put(aPool().from(1, 8).slo(1000).model("large").cost(limited));
        serve(1, 300);
        serveAMinute(2, 300);
        assertThat(chat().choice().model()).as("two are affordable").isEqualTo("large");
        serveAMinute(8, 300);
        assertThat(chat().desired()).as("the fourth would cost 12 of 10 dollars").isEqualTo(3);
        assertThat(chat().choice().rule()).isEqualTo("cost-smaller-model");
        assertThat(chat().choice().model()).isEqualTo("small");
        serveAMinute(1, 300);
        assertThat(chat().choice().model()).as("a choice stands for a while").isEqualTo("small");
        for (int minute = 0; minute < 10; minute++) {
            serveAMinute(2, 300);
        }
        assertThat(chat().choice().model()).as("four would be too dear").isEqualTo("small");
        serveAMinute(1, 300);
        assertThat(chat().choice().rule()).isEqualTo("own-model");
        assertThat(chat().choice().model()).isEqualTo("large");
    }

    /// A report of the replicas that run already; no other begins to run.
    private void report(int sessions, int firstToken) {
        var loads = new ArrayList<ReplicaLoad>();
        for (ReplicaStatus status : chat().replicas()) {
            if (scene.phase(status.job()).equals("Running")) {
                loads.add(seen(status.job(), true, 1));
            }
        }
        var load = PoolBuilder.load(++sequence, 0, sessions, firstToken, loads);
        scene.tell(new Report.PoolLoad(CHAT, load));
        scene.pass(Duration.ofSeconds(5));
    }

    private void serveAMinute(int firstToken) {
        serveAMinute(2, firstToken);
    }

    private void serveAMinute(int sessions, int firstToken) {
        for (int step = 0; step <= 12; step++) {
            serve(sessions, firstToken);
        }
    }

    @Test
    void anInterruptedReplicaStartsAgainOnDemand() {
        put(aPool().from(4, 8).slo(1000).cost(rules(0, true, "")));
        serve(4, 300);
        interrupt();
        serve(4, 300);
        serve(4, 300);
        assertThat(places()).containsExactlyInAnyOrder("paid", "paid", "paid", "paid");
    }

    @Test
    void tooManyInterruptionsEndTheUseOfSpotCapacity() {
        put(aPool().from(4, 8).slo(1000).cost(rules(2, false, "")));
        serve(4, 300);
        interrupt();
        serve(4, 300);
        assertThat(chat().choice().rule()).isEqualTo("interruptions");
        assertThat(chat().choice().spot()).isFalse();
    }

    @Test
    void aNoticeAndTheLossThatFollowsItAreOneInterruption() {
        scene.join(
                aNode("brief: 8×A100")
                        .agent("brief-agent")
                        .label("market", "cheap")
                        .taint("spot")
                        .build());
        scene.tell(new Command.Cordon(new NodeId("cheap"), "me"));
        put(aPool().from(2, 8).slo(1000).cost(rules(0, false, "")));
        serve(2, 300);
        assertThat(places()).containsExactlyInAnyOrder("brief", "paid");
        scene.tell(new Report.InterruptionNotice(new NodeId("brief"), Duration.ofSeconds(10)));
        scene.pass(Duration.ofSeconds(1));
        scene.tell(new Report.Silent(new AgentId("brief-agent")));
        scene.pass(Duration.ofSeconds(1));
        scene.tell(new Report.Fenced(new AgentId("brief-agent")));
        assertThat(chat().interruptionsSince(Instant.EPOCH)).isEqualTo(1);
    }

    @Test
    void aReplicaThatGetsNoSpotCapacityInTimeStartsOnDemand() {
        // The market has room, but no job starts before the first of the queue.
        var strict = new Scene("priority-strict", PoolBuilder.settings());
        strict.join(aNode("paid: 8×A100").build());
        strict.join(aNode("cheap: 8×A100").label("market", "cheap").taint("spot").build());
        strict.tell(new Command.SetMarket(new Market("market", "cheap", 1_000_000, 0, true), ""));
        strict.runs(strict.submit(aJob().gpus(8).priority(900)));
        JobId first = strict.submit(aJob().gpus(8).priority(900));
        strict.tell(
                new Command.PutPool(
                        aPool().from(2, 2).cost(rules(0, false, "")).of(aJob().gpus(1)).build(),
                        "me"));
        PoolEntry pool = Objects.requireNonNull(strict.engine().state().pools().find(CHAT));
        assertThat(onSpot(strict, pool)).isEqualTo(1);
        strict.pass(Duration.ofSeconds(40));
        assertThat(strict.phase(first)).isEqualTo("Waiting");
        assertThat(pool.replicas()).hasSize(2);
        assertThat(onSpot(strict, pool)).isZero();
    }

    private static long onSpot(Scene in, PoolEntry pool) {
        return pool.replicas().stream()
                .map(status -> in.job(status.job()).spec().labels())
                .filter(labels -> labels.value("gpu-scheduler.io/capacity").equals("spot"))
                .count();
    }

    @Test
    void theWorkToStartSpotReplicasGrowsInProportionToThem() {
        for (int node = 0; node < 10; node++) {
            scene.join(
                    aNode("more%d: 8×A100".formatted(node))
                            .label("market", "cheap")
                            .taint("spot")
                            .build());
        }
        long few = workToStart("few", 20);
        long many = workToStart("many", 60);
        assertThat(many).isLessThan(5 * few);
    }

    private long workToStart(String name, int replicas) {
        CostRules onSpot =
                new CostRules(
                        0,
                        100,
                        100,
                        List.of(),
                        0,
                        Duration.ofHours(1),
                        false,
                        "",
                        false,
                        false,
                        "");
        long before = scene.engine().nodeSearch().nodesLookedAt;
        put(aPool().named(name).from(replicas, 60).cost(onSpot));
        long work = scene.engine().nodeSearch().nodesLookedAt - before;
        PoolId id = new PoolId(name);
        assertThat(Objects.requireNonNull(scene.engine().state().pools().find(id)).replicas())
                .hasSize(replicas)
                .allSatisfy(
                        status ->
                                assertThat(
                                                scene.job(status.job())
                                                        .spec()
                                                        .labels()
                                                        .value("gpu-scheduler.io/capacity"))
                                        .isEqualTo("spot"));
        scene.tell(new Command.RemovePool(id, "me"));
        scene.pass(Duration.ofMinutes(2));
        return work;
    }

    /// The cheap node is taken away, and its replicas stop.
    private void interrupt() {
        List<JobId> there =
                chat().replicas().stream()
                        .map(ReplicaStatus::job)
                        .filter(job -> scene.where(job).startsWith("cheap"))
                        .toList();
        assertThat(there).hasSize(2);
        scene.tell(new Report.InterruptionNotice(new NodeId("cheap"), Duration.ofSeconds(10)));
        assertThat(Objects.requireNonNull(scene.assignment("cheap")).tasks())
                .allSatisfy(
                        task ->
                                assertThat(((Task.Order.Stop) task.order()).deadline())
                                        .isEqualTo(scene.now().plusSeconds(10)));
        there.forEach(job -> scene.ends(job, Exit.How.STOPPED, 143));
    }

    @Test
    void dirtyPowerKeepsAPoolFromGrowing() {
        put(aPool().from(1, 8).carbon(new CarbonRules(List.of(), 300, -1, 0)));
        serve(4, 0);
        assertThat(chat().desired()).isEqualTo(1);
        scene.tell(new Command.SetMarket(new Market("market", "paid", 4_000_000, 200, false), ""));
        serve(4, 0);
        assertThat(chat().desired()).isEqualTo(4);
    }
}
