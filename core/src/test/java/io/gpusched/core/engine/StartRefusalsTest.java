package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.nodes.NodeView;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Objects;

/// Nodes that refuse to start jobs, and runs that are lost.
final class StartRefusalsTest {
    /// Best fit sends small jobs to the small node.
    private final Scene scene =
            Scene.with(aNode("bad").gpus(2).agent("a").build(), aNode("good").agent("b").build());

    @Test
    void aJobAvoidsTheNodeThatRefusedIt() {
        JobId job = scene.submit(aJob());
        assertThat(scene.where(job)).isEqualTo("bad[0]");
        refuses(job);
        scene.pass(Duration.ofSeconds(20));
        assertThat(scene.where(job)).isEqualTo("good[0]");
        assertThat(scene.where(scene.submit(aJob()))).as("another job").isEqualTo("bad[0]");
    }

    @Test
    void aJobThatCanGoNowhereElseIsTriedThereAgain() {
        JobId job = scene.submit(aJob().gpus(8));
        refuses(job);
        scene.pass(Duration.ofSeconds(20));
        assertThat(scene.where(job)).isEqualTo("good[0-7]");
    }

    @Test
    void aJobAvoidsTheNodeOnlyForAWhile() {
        JobId large = scene.submit(aJob().gpus(8));
        scene.runs(large);
        JobId job = scene.submit(aJob());
        refuses(job);
        scene.pass(Duration.ofMinutes(50));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        Explanation why = scene.explainer().explain(job);
        assertThat(why.toString()).contains("node refused to start this job");
        scene.pass(Duration.ofMinutes(11));
        assertThat(scene.where(job)).isEqualTo("bad[0]");
    }

    @Test
    void theSchedulerCordonsANodeWhoseJobsStartElsewhere() {
        for (int i = 0; i < 3; i++) {
            assertThat(node("bad").status().cordoned()).isFalse();
            startsElsewhere(scene.submit(aJob()));
        }
        assertThat(node("bad").status().cordonedByScheduler()).isTrue();
        assertThat(node("bad").status().nodeClosure().why())
                .isEqualTo(
                        "it refused to start 3 jobs within 60 minutes that then started elsewhere,"
                                + " the last one: no driver");
        assertThat(scene.where(scene.submit(aJob()))).isEqualTo("good[3]");
    }

    @Test
    void aJobThatNodesRefuseOneAfterTheOtherBlamesNone() {
        for (int i = 0; i < 4; i++) {
            JobId job = scene.submit(aJob());
            refuses(job);
            scene.pass(Duration.ofSeconds(20));
            refuses(job);
            scene.tell(new Command.Cancel(job, "me"));
        }
        assertThat(node("bad").status().open()).isTrue();
        assertThat(node("good").status().open()).isTrue();
    }

    @Test
    void explainSaysThatTheSchedulerCordonedTheNode() {
        for (int i = 0; i < 3; i++) {
            startsElsewhere(scene.submit(aJob()));
        }
        scene.submit(aJob().gpus(5));
        JobId waits = scene.submit(aJob());
        assertThat(scene.phase(waits)).isEqualTo("Waiting");
        assertThat(scene.explainer().explain(waits).toString())
                .contains("node was cordoned by the scheduler because it refused to start jobs");
    }

    @Test
    void uncordonForgetsWhatTheNodeRefused() {
        for (int i = 0; i < 3; i++) {
            startsElsewhere(scene.submit(aJob()));
        }
        scene.tell(new Command.Uncordon(new NodeId("bad"), "me"));
        assertThat(node("bad").status().open()).isTrue();
        assertThat(node("bad").refusals()).isEmpty();
        assertThat(scene.engine().state().avoidances().of(new NodeId("bad"))).isEmpty();
        startsElsewhere(scene.submit(aJob()));
        assertThat(node("bad").status().open()).isTrue();
    }

    @Test
    void aStartThatWorksClearsTheNode() {
        startsElsewhere(scene.submit(aJob()));
        startsElsewhere(scene.submit(aJob()));
        JobId fine = scene.submit(aJob());
        assertThat(scene.where(fine)).isEqualTo("bad[0]");
        scene.runs(fine);
        startsElsewhere(scene.submit(aJob()));
        assertThat(node("bad").status().open()).isTrue();
    }

    @Test
    void refusalsLongAgoDoNotCount() {
        startsElsewhere(scene.submit(aJob()));
        startsElsewhere(scene.submit(aJob()));
        scene.pass(Duration.ofMinutes(61));
        startsElsewhere(scene.submit(aJob()));
        assertThat(node("bad").status().open()).isTrue();
    }

    @Test
    void theSchedulerCordonsAtMostATenthOfTheNodes() {
        scene.join(aNode("worse").gpus(1).agent("c").build());
        for (int i = 0; i < 3; i++) {
            JobId job = scene.submit(aJob());
            assertThat(scene.where(job)).isEqualTo("worse[0]");
            refuses(job);
            scene.pass(Duration.ofSeconds(20));
            assertThat(scene.where(job)).isEqualTo("bad[0]");
            refuses(job);
            scene.pass(Duration.ofSeconds(40));
            scene.runs(job);
        }
        assertThat(
                        scene.engine().state().nodes().all().stream()
                                .filter(node -> node.status().cordonedByScheduler())
                                .count())
                .isEqualTo(1);
    }

    @Test
    void itCanBeSwitchedOff() {
        var none = new FaultRules(0, Duration.ZERO, Duration.ZERO, Duration.ofHours(1));
        var other = new Scene("priority", EngineSettings.DEFAULT.with(none));
        other.join(aNode("bad").gpus(2).build(), aNode("good").build());
        for (int i = 0; i < 5; i++) {
            JobId job = other.submit(aJob());
            other.tell(new Report.StartRefused(other.run(job).id(), 0, "", Duration.ZERO));
            assertThat(other.job(job).avoids()).isEmpty();
        }
        assertThat(
                        Objects.requireNonNull(
                                        other.engine().state().nodes().find(new NodeId("bad")))
                                .status()
                                .open())
                .isTrue();
    }

    @Test
    void whatNodesRefusedIsTheSameAfterReplayAndFromASnapshot() {
        startsElsewhere(scene.submit(aJob()));
        startsElsewhere(scene.submit(aJob()));
        JobId job = scene.submit(aJob().gpus(2));
        refuses(job);
        var policy = scene.engine().policy();
        var replayed = new Engine(policy, EngineSettings.DEFAULT);
        scene.journal().replay(0, replayed::apply);
        var restored = Engine.restore(scene.engine().image(), policy, EngineSettings.DEFAULT);
        for (Engine engine : new Engine[] {replayed, restored}) {
            assertThat(engine.digest()).isEqualTo(scene.engine().digest());
            NodeView bad = Objects.requireNonNull(engine.state().nodes().find(new NodeId("bad")));
            assertThat(bad.refusals()).isEqualTo(node("bad").refusals()).hasSize(2);
            assertThat(Objects.requireNonNull(engine.state().job(job)).avoids())
                    .isEqualTo(scene.job(job).avoids())
                    .hasSize(1);
            assertThat(engine.wakeAfter(scene.now()))
                    .isEqualTo(scene.engine().wakeAfter(scene.now()));
        }
    }

    @Test
    void aLongJobSurvivesItsTenthReclaim() {
        Scene spot = Scene.with(aNode("n1").build());
        JobId job = spot.submit(aJob());
        for (int loss = 0; loss < 10; loss++) {
            spot.runs(job);
            spot.pass(Duration.ofHours(60));
            spot.tell(new Report.Fenced(new AgentId("agent")));
            assertThat(spot.phase(job)).isEqualTo("Waiting");
            spot.join();
        }
        assertThat(spot.job(job).losses()).isEqualTo(1);
    }

    @Test
    void aRunThatIsLostWhileItIsPreemptedOrDrainedIsNoLoss() {
        Scene spot = Scene.with(aNode("n1").build());
        JobId job = spot.submit(aJob());
        for (int drain = 1; drain <= 5; drain++) {
            spot.runs(job);
            spot.tell(new Report.InterruptionNotice(new NodeId("n1"), Duration.ofMinutes(2)));
            spot.tell(new Report.Fenced(new AgentId("agent")));
            assertThat(spot.phase(job)).isEqualTo("Waiting");
            assertThat(spot.job(job).losses()).isZero();
            assertThat(spot.job(job).evictions()).isZero();
            assertThat(spot.job(job).drains()).isEqualTo(drain);
            spot.join();
            spot.tell(new Command.Uncordon(new NodeId("n1"), "me"));
        }
    }

    @Test
    void aDrainDoesNotUseUpThePreemptions() {
        scene.tenant("low", 8, true);
        JobBuilder low = aJob().of("low").gpus(8);
        JobId job = scene.submit(low);
        scene.runs(job);
        scene.tell(new Command.Drain(new NodeId("good"), true, "me"));
        scene.ends(job, Exit.How.STOPPED, 143);
        assertThat(scene.job(job).evictions()).isZero();
        assertThat(scene.job(job).drains()).isEqualTo(1);
    }

    private void refuses(JobId job) {
        scene.tell(
                new Report.StartRefused(
                        scene.run(job).id(), 0, "no driver", Duration.ofSeconds(1)));
    }

    /// The small node refuses the job, and the large one starts it.
    private void startsElsewhere(JobId job) {
        refuses(job);
        scene.pass(Duration.ofSeconds(20));
        scene.runs(job);
    }

    private NodeView node(String name) {
        return Objects.requireNonNull(scene.engine().state().nodes().find(new NodeId(name)));
    }
}
