package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.explain.PoolExplainer;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Replica;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.state.PoolCounts;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

final class PoolScalingTest {
    private static final PoolId CHAT = new PoolId("chat");
    private static final Duration STEP = Duration.ofSeconds(5);

    private final Scene scene = scene("n1: 8×A100");
    private long sequence;

    private static Scene scene(String... nodes) {
        var scene = new Scene("priority", PoolBuilder.settings());
        for (String node : nodes) {
            scene.join(aNode(node).build());
        }
        return scene;
    }

    private void put(PoolBuilder pool) {
        Answer answer = scene.tell(new Command.PutPool(pool.build(), "me"));
        assertThat(answer).isInstanceOf(Answer.Accepted.class);
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(CHAT));
    }

    private PoolCounts counts() {
        return scene.engine().state().pools().counts(chat());
    }

    private List<JobId> jobs() {
        return chat().replicas().stream().map(ReplicaStatus::job).toList();
    }

    /// Every replica that was placed runs and is ready, and so many sessions are active.
    private void serve(int sessions) {
        var loads = new ArrayList<ReplicaLoad>();
        for (ReplicaStatus status : chat().replicas()) {
            if (status.placed() != null) {
                if (scene.phase(status.job()).equals("Starting")) {
                    scene.runs(status.job());
                }
                loads.add(seen(status.job(), status.draining() == null, 0));
            }
        }
        report(0, sessions, loads);
    }

    private void report(int held, int sessions, List<ReplicaLoad> replicas) {
        var load = PoolBuilder.load(++sequence, held, sessions, replicas);
        scene.tell(new Report.PoolLoad(CHAT, load));
    }

    /// A report every second.
    private void serveFor(Duration time, int sessions) {
        for (long second = 0; second < time.toSeconds(); second++) {
            serve(sessions);
            scene.pass(Duration.ofSeconds(1));
        }
    }

    private List<Event> events() {
        var events = new ArrayList<Event>();
        scene.journal()
                .replay(
                        0,
                        batch -> {
                            events.addAll(batch.facts());
                            events.addAll(batch.decided());
                        });
        return events;
    }

    private @Nullable String lastRule() {
        var decided = chat().decided();
        return decided == null ? null : decided.rule();
    }

    @Test
    void aNewPoolReachesItsMinimumAtOnce() {
        put(aPool().from(3, 8).port(9000).model("llama"));
        assertThat(counts()).isEqualTo(new PoolCounts(0, 3, 0, 0));
        assertThat(lastRule()).isEqualTo("min");
        var spec = scene.job(jobs().get(2)).spec();
        assertThat(spec.name()).isEqualTo("chat-2");
        assertThat(spec.replica()).isEqualTo(new Replica("chat", 2));
        assertThat(spec.payload().environment().entries())
                .containsEntry("GPU_SCHEDULER_POOL", "chat")
                .containsEntry("GPU_SCHEDULER_REPLICA", "2")
                .containsEntry("GPU_SCHEDULER_PORT", "9002")
                .containsEntry("GPU_SCHEDULER_MODEL", "llama");
    }

    @Test
    void theSizeFollowsTheLawAndIsExplained() {
        put(aPool().from(1, 8));
        serveFor(STEP, 5);
        assertThat(chat().desired()).isEqualTo(5);
        assertThat(events())
                .filteredOn(event -> event instanceof Event.PoolScaled)
                .last()
                .extracting("from", "to", "rule")
                .containsExactly(1, 5, "sessions");
        serveFor(STEP, 5);
        assertThat(counts()).isEqualTo(new PoolCounts(5, 0, 0, 0));
    }

    @Test
    void aSmallerPoolStopsWaitingThenStartingThenEmptyReplicas() {
        put(aPool().from(1, 10));
        serveFor(STEP, 4);
        serve(4);
        List<JobId> served = jobs();
        serveFor(STEP, 10);
        assertThat(counts().waiting()).isEqualTo(2);
        // Two of ten wait, four load, and the second of those that serve is busy.
        var loads = new ArrayList<ReplicaLoad>();
        served.forEach(job -> loads.add(seen(job, true, job.equals(served.get(1)) ? 3 : 0)));
        report(0, 1, loads);
        scene.pass(STEP);
        assertThat(chat().desired()).isEqualTo(1);
        assertThat(chat().replicas())
                .filteredOn(each -> each.draining() == null && each.ready() != null)
                .extracting(ReplicaStatus::job)
                .containsExactly(served.get(1));
    }

    @Test
    void aDrainedReplicaIsStoppedWhenItHasNoRequestLeft() {
        put(aPool().from(0, 4));
        serveForTwo();
        JobId leaving = jobs().get(1);
        report(0, 1, List.of(seen(jobs().get(0), true, 1), seen(leaving, true, 0)));
        scene.pass(STEP);
        assertThat(chat().replica(1)).extracting("draining").isNotNull();
        assertThat(scene.phase(leaving)).isEqualTo("Running");
        report(0, 1, List.of(seen(jobs().get(0), true, 1), seen(leaving, false, 2)));
        assertThat(scene.phase(leaving)).isEqualTo("Running");
        report(0, 1, List.of(seen(jobs().get(0), true, 1), seen(leaving, false, 0)));
        assertThat(scene.phase(leaving)).isEqualTo("Stopping");
        scene.ends(leaving, Exit.How.STOPPED, 143);
        assertThat(scene.phase(leaving)).startsWith("CANCELLED scaled down");
        assertThat(jobs()).hasSize(1);
    }

    private void serveForTwo() {
        report(1, 2, List.of());
        scene.pass(STEP);
        serveFor(STEP.multipliedBy(2), 2);
        assertThat(counts().ready()).isEqualTo(2);
    }

    @Test
    void aReplicaThatDoesNotFinishIsStoppedWhenItsTimeIsOver() {
        put(aPool().from(0, 4));
        serveForTwo();
        JobId leaving = jobs().get(1);
        report(0, 1, List.of(seen(jobs().get(0), true, 5), seen(leaving, true, 4)));
        scene.pass(STEP);
        for (int second = 0; second < 31; second++) {
            report(0, 1, List.of(seen(jobs().get(0), true, 5), seen(leaving, false, 4)));
            scene.pass(Duration.ofSeconds(1));
        }
        assertThat(scene.phase(leaving)).isEqualTo("Stopping");
    }

    @Test
    void staleDataNeverScalesButTheMinimumIsKept() {
        put(aPool().from(1, 8));
        serveFor(STEP.multipliedBy(2), 4);
        scene.pass(Duration.ofMinutes(10));
        assertThat(chat().desired()).isEqualTo(4);
        put(aPool().from(6, 8));
        assertThat(chat().desired()).isEqualTo(6);
        assertThat(lastRule()).isEqualTo("min");
    }

    @Test
    void anEmptyPoolStartsOncePerBurstAndStopsAfterTheCoolDown() {
        put(aPool().from(0, 8));
        scene.pass(Duration.ofMinutes(1));
        assertThat(jobs()).isEmpty();
        report(7, 1, List.of());
        assertThat(chat().desired()).isEqualTo(1);
        for (int second = 0; second < 30; second++) {
            report(50 + second, 8, List.of());
            scene.pass(Duration.ofSeconds(1));
        }
        assertThat(chat().desired()).isEqualTo(1);
        assertThat(events()).filteredOn(e -> e instanceof Event.PoolScaled).hasSize(1);
        serveFor(Duration.ofMinutes(4), 0);
        assertThat(chat().desired()).isEqualTo(1);
        serveFor(Duration.ofMinutes(2), 0);
        assertThat(chat().desired()).isZero();
    }

    @Test
    void anOperatorHoldsAPoolAndReleasesIt() {
        put(aPool().from(1, 8));
        scene.tell(new Command.ScalePool(CHAT, 6, "a launch", "me"));
        assertThat(chat().desired()).isEqualTo(6);
        assertThat(lastRule()).isEqualTo("hold");
        serveFor(STEP, 2);
        assertThat(chat().desired()).isEqualTo(6);
        scene.tell(new Command.ScalePool(CHAT, null, "", "me"));
        assertThat(chat().desired()).isEqualTo(2);
    }

    @Test
    void warmReplicasAndSchedulesAddToTheLoad() {
        // 2026-01-01 is a Thursday.
        put(aPool().from(1, 8).warm(25).schedule(new ScheduledSize("day", 1 << 3, 60, 60, 7)));
        serveFor(STEP.multipliedBy(2), 2);
        assertThat(chat().desired()).isEqualTo(4);
        scene.pass(Duration.ofMinutes(60));
        serveFor(STEP.multipliedBy(2), 2);
        assertThat(chat().desired()).isEqualTo(7);
        assertThat(lastRule()).isEqualTo("schedule");
        scene.pass(Duration.ofMinutes(60));
        serveFor(STEP.multipliedBy(2), 2);
        assertThat(chat().desired()).isEqualTo(4);
    }

    @Test
    void costLimitsTheSizeButNotBelowTheMinimum() {
        scene.join(aNode("n2: 8×A100").label("kind", "paid").build());
        scene.tell(new Command.SetMarket(new Market("kind", "paid", 2_000_000, 0, false), "me"));
        var cost =
                new CostRules(
                        7_000_000,
                        0,
                        0,
                        List.of(),
                        0,
                        Duration.ofHours(1),
                        false,
                        "",
                        false,
                        false,
                        "");
        put(aPool().of(aJob().gpus(1).onNodesWith("kind", "paid")).from(1, 8).cost(cost));
        serveFor(STEP.multipliedBy(2), 8);
        assertThat(chat().desired()).isEqualTo(3);
        assertThat(lastRule()).isEqualTo("cost");
    }

    @Test
    void stabilisationKeepsTheLargestRecommendationOfItsWindow() {
        var slow =
                new ScaleBehavior(Duration.ofMinutes(5), ScaleBehavior.Select.LARGEST, List.of());
        put(aPool().from(1, 8).down(slow));
        serveFor(Duration.ofMinutes(6), 5);
        serveFor(Duration.ofMinutes(4), 2);
        assertThat(chat().desired()).isEqualTo(5);
        serveFor(Duration.ofSeconds(70), 2);
        assertThat(chat().desired()).isEqualTo(2);
    }

    @Test
    void aPoolThatFindsNoCapacityWaitsLapsesAndTriesAgain() {
        put(aPool().of(aJob().gpus(4)).from(1, 8));
        serveFor(STEP.multipliedBy(2), 4);
        assertThat(counts()).isEqualTo(new PoolCounts(2, 0, 2, 0));
        serveFor(Duration.ofSeconds(90), 8);
        assertThat(chat().desired()).as("no growth while replicas wait").isEqualTo(4);
        serveFor(Duration.ofSeconds(40), 8);
        assertThat(chat().lapses()).isEqualTo(1);
        assertThat(chat().desired()).isEqualTo(2);
        assertThat(counts()).isEqualTo(new PoolCounts(2, 0, 0, 0));
        scene.join(aNode("n2: 8×A100").build());
        serveFor(Duration.ofMinutes(1), 4);
        assertThat(counts()).isEqualTo(new PoolCounts(4, 0, 0, 0));
    }

    @Test
    void anExplanationNamesEveryStepAndWhyThePoolDoesNotGrow() {
        put(aPool().of(aJob().gpus(4)).from(1, 8).warm(13));
        serveFor(STEP.multipliedBy(2), 4);
        var explained =
                Objects.requireNonNull(
                        new PoolExplainer(scene.engine(), scene.now()).explain(CHAT));
        assertThat(explained.desired()).isEqualTo(5);
        assertThat(explained.steps())
                .containsExactly(
                        "the law sessions recommends 4: 4 sessions are active",
                        "1 more are kept warm (13 % of max)");
        serveFor(STEP, 8);
        explained =
                Objects.requireNonNull(
                        new PoolExplainer(scene.engine(), scene.now()).explain(CHAT));
        assertThat(explained.rule()).isEqualTo("capacity");
        assertThat(explained.whyNotMore()).isEqualTo("3 replicas already wait for capacity");
        assertThat(explained.waiting()).hasSize(3);
        assertThat(explained.waiting().getFirst().summary()).isNotEmpty();
        assertThat(explained.recent()).last().extracting("to").isEqualTo(5);
    }

    @Test
    void waitingReplicasNeverBlockScalingDown() {
        put(aPool().of(aJob().gpus(4)).from(1, 8));
        serveFor(STEP.multipliedBy(2), 4);
        serveFor(STEP, 1);
        assertThat(chat().desired()).isEqualTo(1);
        assertThat(counts().waiting()).isZero();
    }

    @Test
    void aPoolPreemptsBatchByTheOrdinaryRules() {
        scene.tenant("batch", 16, true);
        JobId batch = scene.submit(aJob().of("batch").gpus(8).priority(1));
        scene.runs(batch);
        put(aPool().of(aJob().gpus(4).priority(900)).from(1, 4));
        assertThat(scene.phase(batch)).isEqualTo("Stopping");
        scene.ends(batch, Exit.How.STOPPED, 143);
        assertThat(counts().starting()).isEqualTo(1);
        assertThat(scene.phase(batch)).isEqualTo("Waiting");
    }

    @Test
    void replicasThatCrashAreReplacedWithBackoff() {
        put(aPool().from(2, 4));
        for (int crash = 1; crash <= 2; crash++) {
            JobId job = jobs().getFirst();
            scene.runs(job);
            scene.ends(job, Exit.How.EXITED, 1);
        }
        assertThat(chat().failures()).isEqualTo(2);
        assertThat(jobs()).isEmpty();
        scene.pass(Duration.ofSeconds(15));
        assertThat(jobs()).as("20 s after the second crash").isEmpty();
        scene.pass(Duration.ofSeconds(10));
        assertThat(jobs()).as("one replica shows whether it starts").hasSize(1);
        serveFor(Duration.ofSeconds(70), 2);
        assertThat(chat().failures()).isZero();
        assertThat(counts().ready()).isEqualTo(2);
    }

    @Test
    void aLostOrPreemptedReplicaWaitsAgainHoweverOften() {
        put(aPool().from(1, 1));
        JobId job = jobs().getFirst();
        for (int loss = 0; loss < 6; loss++) {
            scene.runs(job);
            scene.ends(job, Exit.How.LOST, -1);
            scene.pass(Duration.ofMinutes(1));
        }
        assertThat(jobs()).containsExactly(job);
        assertThat(scene.job(job).losses()).isEqualTo(6);
    }

    @Test
    void theLoadTimeIsLearnedAndTheModelIsCachedThere() {
        put(aPool().from(1, 4).model("llama"));
        scene.pass(Duration.ofSeconds(40));
        serve(1);
        assertThat(chat().loadTime()).isEqualTo(Duration.ofSeconds(40));
        assertThat(scene.engine().state().models().holds(new NodeId("n1"), "llama")).isTrue();
        scene.tell(new Report.ModelCached(new NodeId("n1"), "llama", CacheState.EVICTED));
        assertThat(scene.engine().state().models().holds(new NodeId("n1"), "llama")).isFalse();
    }

    @Test
    void aRemovedPoolStopsItsReplicasAndIsForgotten() {
        put(aPool().from(2, 4));
        List<JobId> jobs = jobs();
        scene.tell(new Command.RemovePool(CHAT, "me"));
        jobs.forEach(job -> scene.ends(job, Exit.How.STOPPED, 143));
        assertThat(scene.engine().state().pools().all()).isEmpty();
        assertThat(jobs).allSatisfy(job -> assertThat(scene.phase(job)).startsWith("CANCELLED"));
    }

    @Test
    void noReservationWaitsForTheEndOfAReplica() {
        put(aPool().of(aJob().gpus(6).priority(100)).from(1, 1));
        scene.runs(jobs().getFirst());
        JobId large = scene.submit(aJob().gpus(4).priority(50));
        JobId small = scene.submit(aJob().gpus(2).limit(Duration.ofDays(9)));
        assertThat(scene.phase(large)).isEqualTo("Waiting");
        assertThat(scene.engine().state().claims()).isEmpty();
        assertThat(scene.where(small)).startsWith("n1");
    }

    @Test
    void everyProblemOfAPoolNamesItsField() {
        put(aPool().named("other").port(9000).from(0, 10));
        scene.tell(new Command.PutModel(model("llama-8b"), "me"));
        assertThat(problems(aPool().law("slow").from(4, 2).warm(101).port(9005).model("lama-8b")))
                .extracting(Problem::field)
                .containsExactly(
                        "min_replicas", "warm_percent", "scaling.law", "model", "serving.port");
        assertThat(problems(aPool().of(aJob().of("nobody"))))
                .extracting(Problem::code)
                .containsExactly(Problem.Code.UNKNOWN_TENANT);
    }

    @Test
    void aPoolKeepsAModelThatOthersWereDeclaredAfter() {
        put(aPool().model("llama-8b"));
        scene.tell(new Command.PutModel(model("other"), "me"));
        put(aPool().model("llama-8b").from(1, 3));
        assertThat(problems(aPool().model("lama-8b")))
                .extracting(Problem::field)
                .containsExactly("model");
    }

    @Test
    void aPoolThatNoNodeCanServeYetIsAcceptedWithAWarning() {
        Answer answer = scene.tell(new Command.PutPool(aPool().of(aJob().gpus(64)).build(), "me"));
        assertThat(((Answer.Accepted) answer).warnings())
                .singleElement()
                .asString()
                .contains("no replica can be placed on the present nodes");
    }

    private static ModelSpec model(String name) {
        return new ModelSpec(
                name,
                "",
                0,
                Duration.ZERO,
                0,
                ModelSpec.Eviction.IDLE,
                Duration.ZERO,
                List.of(),
                "",
                "");
    }

    private List<Problem> problems(PoolBuilder pool) {
        Answer answer = scene.tell(new Command.PutPool(pool.build(), "me"));
        return ((Answer.Rejected) answer).problems();
    }

    @Test
    void aReplayLeadsToTheSameLedgerAndARestartContinues() {
        put(aPool().from(0, 8).model("llama"));
        serveForTwo();
        serveFor(Duration.ofMinutes(1), 6);
        serveFor(Duration.ofMinutes(1), 1);
        var settings = PoolBuilder.settings();
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        var replayed = new Engine(policy, settings);
        scene.journal().replay(0, replayed::apply);
        assertThat(replayed.image()).isEqualTo(scene.engine().image());
        var restored = Engine.restore(replayed.image(), policy, settings);
        assertThat(restored.digest()).isEqualTo(scene.engine().digest());
        assertThat(restored.image()).isEqualTo(scene.engine().image());
        assertThat(restored.wakeAfter(scene.now())).isEqualTo(replayed.wakeAfter(scene.now()));
    }

    @Test
    void replicasOfATenantCountAgainstItsQuota() {
        scene.tenant("team", 3, true);
        put(aPool().of(aJob().of("team").gpus(1)).from(2, 8));
        serveFor(STEP.multipliedBy(2), 8);
        assertThat(counts().placed()).isEqualTo(3);
    }
}
