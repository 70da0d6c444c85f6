package io.gpusched.core.state;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.Secret;
import io.gpusched.core.pool.Slo;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// What the ledger remembers of pools, models and bindings, and what its digest covers.
final class PoolLedgerTest {
    private static final PoolId CHAT = new PoolId("chat");
    private static final TenantId TEAM = new TenantId("default");

    private final Scene scene = new Scene("priority", PoolBuilder.settings());

    PoolLedgerTest() {
        scene.join(aNode("n1: 8×A100").build());
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(CHAT));
    }

    private Engine restored() {
        Engine engine = scene.engine();
        return Engine.restore(engine.image(), engine.policy(), engine.settings());
    }

    private static Instant expectedEnd(Engine engine, JobId id) {
        Job job = Objects.requireNonNull(engine.state().job(id));
        return engine.state().runs().expectedEnd(job);
    }

    @Test
    void anotherDrainTimeCountsForReplicasThatDrainAlready() {
        PoolBuilder pool = aPool().from(1, 4).of(aJob().gpus(1));
        scene.tell(new Command.PutPool(pool.drain(Duration.ofMinutes(10)).build(), "me"));
        JobId replica = chat().replicas().getFirst().job();
        scene.runs(replica);
        var load = PoolBuilder.load(1, 0, 1, List.of(seen(replica, true, 1)));
        scene.tell(new Report.PoolLoad(CHAT, load));
        scene.tell(new Command.ScalePool(CHAT, 0, "test", "me"));
        assertThat(chat().replicas().getFirst().draining()).isNotNull();
        Instant before = expectedEnd(scene.engine(), replica);

        scene.tell(new Command.PutPool(pool.drain(Duration.ofHours(5)).build(), "me"));

        assertThat(expectedEnd(scene.engine(), replica)).isEqualTo(before.plusSeconds(290 * 60));
        assertThat(expectedEnd(restored(), replica))
                .isEqualTo(expectedEnd(scene.engine(), replica));
    }

    @Test
    void theDigestCoversTheRulesOfAPool() {
        PoolBuilder pool = aPool().from(0, 4);
        scene.engine().apply(new Event.PoolPut(scene.now(), pool.build(), "me"));
        long before = scene.engine().digest();
        pool.carbon(new CarbonRules(List.of(), 300, 0, 60));
        assertThat(digestAfter(new Event.PoolPut(scene.now(), pool.build(), "me")))
                .isNotEqualTo(before);
        long carbon = scene.engine().digest();
        assertThat(
                        digestAfter(
                                new Event.PoolPut(
                                        scene.now(),
                                        pool.drain(Duration.ofHours(1)).build(),
                                        "me")))
                .isNotEqualTo(carbon);
    }

    @Test
    void theDigestCoversWhenAPoolWasChangedAndWhatItsLimiterRemembers() {
        scene.engine().apply(new Event.PoolPut(scene.now(), aPool().from(0, 4).build(), "me"));
        long before = scene.engine().digest();
        Instant later = scene.now().plusSeconds(1);
        long put = digestAfter(new Event.PoolPut(later, aPool().from(0, 4).build(), "me"));
        assertThat(put).isNotEqualTo(before);
        var recommended = new Event.PoolRecommended(later, CHAT, 2, 2, "law", "");
        long once = digestAfter(recommended);
        Instant again = later.plusSeconds(1);
        assertThat(digestAfter(new Event.PoolRecommended(again, CHAT, 2, 2, "law", "")))
                .isNotEqualTo(once);
    }

    private long digestAfter(Event event) {
        scene.engine().apply(event);
        return scene.engine().digest();
    }

    @Test
    void theDigestCoversTheContentsOfModelsClassesAndBindings() {
        long small = digestAfter(new Event.ModelPut(scene.now(), model(1_000), "me"));
        long large = digestAfter(new Event.ModelPut(scene.now(), model(2_000), "me"));
        assertThat(large).isNotEqualTo(small);
        long one = digestAfter(new Event.BindingPut(scene.now(), binding("redis://a"), "me"));
        long other = digestAfter(new Event.BindingPut(scene.now(), binding("redis://b"), "me"));
        assertThat(other).isNotEqualTo(one);
        long strict = digestAfter(new Event.AgentClassPut(scene.now(), agentClass(990), "me"));
        long loose = digestAfter(new Event.AgentClassPut(scene.now(), agentClass(900), "me"));
        assertThat(loose).isNotEqualTo(strict);
        assertThat(restored().digest()).isEqualTo(loose);
        scene.engine().apply(new Event.BindingRemoved(scene.now(), "in", "me"));
        scene.engine().apply(new Event.AgentClassPut(scene.now(), agentClass(990), "me"));
        scene.engine().apply(new Event.ModelRemoved(scene.now(), "llama", "me"));
        scene.engine().apply(new Event.ModelPut(scene.now(), model(2_000), "me"));
        assertThat(digestAfter(new Event.BindingPut(scene.now(), binding("redis://b"), "me")))
                .as("contents count as often as they are there")
                .isEqualTo(strict);
    }

    @Test
    void classesAndBindingsOfARemovedTenantGoWithIt() {
        scene.tenant("team", 8, true);
        var team = new TenantId("team");
        scene.tell(new Command.PutBinding(binding("redis://a", team), "me"));
        var helper = new AgentClass("helper", team, "", Slo.NONE, Labels.NONE);
        scene.tell(new Command.PutAgentClass(helper, "me"));
        scene.tell(new Command.PutBinding(binding("redis://b", "other", TEAM), "me"));

        scene.tell(new Command.RemoveTenant(team, "me"));

        assertThat(scene.engine().state().bindings().all())
                .extracting(QueueBinding::name)
                .containsExactly("other");
        assertThat(scene.engine().state().bindings().classes()).isEmpty();
        assertThat(restored().digest()).isEqualTo(scene.engine().digest());
    }

    @Test
    void aTenantHasALimitedNumberOfPoolsClassesAndBindings() {
        for (int i = 0; i < 1_000; i++) {
            Instant now = scene.now();
            scene.engine().apply(new Event.BindingPut(now, binding("", "b" + i, TEAM), "me"));
            var one = new AgentClass("c" + i, TEAM, "", Slo.NONE, Labels.NONE);
            scene.engine().apply(new Event.AgentClassPut(now, one, "me"));
            var pool = aPool().named("p" + i).from(0, 1).build();
            scene.engine().apply(new Event.PoolPut(now, pool, "me"));
        }
        var another = new AgentClass("another", TEAM, "", Slo.NONE, Labels.NONE);
        List<Command.PoolPart> commands =
                List.of(
                        new Command.PutPool(aPool().named("another").from(0, 1).build(), "me"),
                        new Command.PutAgentClass(another, "me"),
                        new Command.PutBinding(binding("", "another", TEAM), "me"));
        for (Command command : commands) {
            assertThat(scene.engine().answer(command, scene.now()))
                    .isInstanceOfSatisfying(
                            Answer.Rejected.class,
                            rejected ->
                                    assertThat(rejected.problems().getFirst().message())
                                            .startsWith("a tenant has at most 1000")
                                            .endsWith("number 1001"));
        }
        var changed = new Command.PutBinding(binding("redis://new", "b7", TEAM), "me");
        assertThat(scene.engine().answer(changed, scene.now())).isInstanceOf(Answer.Accepted.class);
        assertThat(scene.engine().answer(new Command.Apply(commands, "me"), scene.now()))
                .isInstanceOfSatisfying(
                        Answer.Rejected.class,
                        rejected -> assertThat(rejected.problems()).hasSize(3));
    }

    private static QueueBinding binding(String connection) {
        return binding(connection, TEAM);
    }

    private static QueueBinding binding(String connection, TenantId tenant) {
        return binding(connection, "in", tenant);
    }

    private static ModelSpec model(long bytes) {
        return new ModelSpec(
                "llama",
                "",
                bytes,
                Duration.ZERO,
                0,
                ModelSpec.Eviction.IDLE,
                Duration.ZERO,
                List.of(),
                "",
                "");
    }

    private static QueueBinding binding(String connection, String name, TenantId tenant) {
        return new QueueBinding(
                name, tenant, CHAT, "queue", "redis", new Secret(connection), "in", "", null);
    }

    private static AgentClass agentClass(int permille) {
        return new AgentClass("helper", TEAM, "llama", new Slo(900, 0, 0, permille), Labels.NONE);
    }
}
