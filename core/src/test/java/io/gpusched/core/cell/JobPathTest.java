package io.gpusched.core.cell;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Task;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.policy.PolicySettings;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// Follows jobs from submission to their end.
final class JobPathTest {
    @Test
    void aJobIsPlacedRunsAndCompletes() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob().gpus(4));
        assertThat(scene.where(job)).isEqualTo("n1[0-3]");
        assertThat(scene.phase(job)).isEqualTo("Starting");
        scene.runs(job);
        assertThat(scene.phase(job)).isEqualTo("Running");
        assertThat(usage(scene).milliGpus()).isEqualTo(4000);
        scene.completes(job);
        assertThat(scene.phase(job)).isEqualTo("COMPLETED completed");
        assertThat(usage(scene)).isEqualTo(Usage.NONE);
    }

    @Test
    void bestFitKeepsWholeNodesWhole() {
        Scene scene =
                Scene.with(aNode("n1").build(), aNode("n2").build(), aNode("n3").gpus(4).build());
        assertThat(scene.where(scene.submit(aJob().gpus(2)))).isEqualTo("n3[0-1]");
        assertThat(scene.where(scene.submit(aJob().gpus(8)))).isEqualTo("n1[0-7]");
        assertThat(scene.where(scene.submit(aJob().gpus(2)))).isEqualTo("n3[2-3]");
        assertThat(scene.where(scene.submit(aJob().gpus(2)))).isEqualTo("n2[0-1]");
    }

    @Test
    void aGangIsPlacedWholeOrNotAtAll() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").build());
        scene.submit(aJob().gpus(1));
        JobId gang = scene.submit(aJob().gpus(8).tasks(2));
        assertThat(scene.phase(gang)).isEqualTo("Waiting");
        JobId smaller = scene.submit(aJob().gpus(4).tasks(3).limit(Duration.ofHours(2)));
        assertThat(scene.phase(smaller)).as("held back by the reservation").isEqualTo("Waiting");
    }

    @Test
    void aGangGoesWhenEveryTaskIsPrepared() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").build());
        JobId gang = scene.submit(aJob().gpus(8).tasks(2));
        assertThat(order(scene, "n1")).isEqualTo(Task.Order.PREPARE);
        scene.tell(new Report.TaskPrepared(scene.run(gang).id(), 0));
        assertThat(order(scene, "n1")).isEqualTo(Task.Order.PREPARE);
        scene.tell(new Report.TaskPrepared(scene.run(gang).id(), 1));
        assertThat(order(scene, "n1")).isEqualTo(Task.Order.RUN);
        assertThat(order(scene, "n2")).isEqualTo(Task.Order.RUN);
    }

    @Test
    void aGangIsHeldBackEverywhereWhenATaskMustBePreparedAnew() {
        Node one = aNode("n1").agent("one").build();
        Scene scene = Scene.with(one, aNode("n2").agent("other").build());
        JobId gang = scene.submit(aJob().gpus(8).tasks(2));
        scene.tell(new Report.TaskPrepared(scene.run(gang).id(), 0));
        scene.tell(new Report.TaskPrepared(scene.run(gang).id(), 1));
        assertThat(order(scene, "n2")).isEqualTo(Task.Order.RUN);
        var agent = new Agent(one.agent(), Agent.Custody.SELF_FENCING, 0);
        scene.tell(new Report.Hello(agent, List.of(one), List.of()));
        assertThat(order(scene, "n1")).isEqualTo(Task.Order.PREPARE);
        assertThat(order(scene, "n2")).isEqualTo(Task.Order.PREPARE);
    }

    @Test
    void whenOneTaskOfAGangFailsTheOthersAreStopped() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").build());
        JobId gang = scene.submit(aJob().gpus(8).tasks(2));
        scene.runs(gang);
        scene.tell(new Report.TaskEnded(scene.run(gang).id(), 1, new Exit(Exit.How.EXITED, 7, "")));
        assertThat(scene.phase(gang)).isEqualTo("Stopping");
        assertThat(order(scene, "n1")).isInstanceOf(Task.Order.Stop.class);
        scene.tell(
                new Report.TaskEnded(scene.run(gang).id(), 0, new Exit(Exit.How.STOPPED, 143, "")));
        assertThat(scene.phase(gang)).isEqualTo("FAILED task 1 on n2 exited with code 7");
        assertThat(usage(scene)).isEqualTo(Usage.NONE);
    }

    @Test
    void aJobCanBeCancelledInEveryPhase() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId running = scene.submit(aJob().gpus(8));
        JobId waiting = scene.submit(aJob().gpus(8));
        scene.tell(new Command.Cancel(waiting, "me"));
        assertThat(scene.phase(waiting)).isEqualTo("CANCELLED cancelled by me");
        scene.runs(running);
        scene.tell(new Command.Cancel(running, "me"));
        assertThat(scene.phase(running)).isEqualTo("Stopping");
        scene.ends(running, Exit.How.STOPPED, 143);
        assertThat(scene.phase(running)).isEqualTo("CANCELLED cancelled by me");
        Answer again = scene.tell(new Command.Cancel(running, "me"));
        assertThat(code(again)).isEqualTo(Problem.Code.WRONG_STATE);
        assertThat(usage(scene)).isEqualTo(Usage.NONE);
    }

    @Test
    void theSameKeyWithTheSameBodyIsTheSameJob() {
        Scene scene = Scene.with();
        var first = scene.tell(new Command.Submit(aJob().spec(), "k", 1, false, "me"));
        var second = scene.tell(new Command.Submit(aJob().spec(), "k", 1, false, "me"));
        var other = scene.tell(new Command.Submit(aJob().spec(), "k", 2, false, "me"));
        assertThat(job(second)).isEqualTo(job(first));
        assertThat(code(other)).isEqualTo(Problem.Code.KEY_REUSED);
        assertThat(scene.engine().state().waitingJobs()).isEqualTo(1);
    }

    @Test
    void aLateMessageOfAnEarlierRunChangesNothing() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob());
        var first = scene.run(job).id();
        scene.runs(job);
        scene.tell(new Report.Fenced(new AgentId("agent")));
        scene.join();
        assertThat(scene.job(job).attempts()).isEqualTo(2);
        scene.tell(new Report.TaskEnded(first, 0, new Exit(Exit.How.EXITED, 0, "")));
        assertThat(scene.phase(job)).isEqualTo("Starting");
    }

    @Test
    void aJobWhoseNodeIsLostAgainAndAgainIsGivenUp() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob());
        for (int loss = 1; loss <= 3; loss++) {
            scene.tell(new Report.Fenced(new AgentId("agent")));
            assertThat(scene.phase(job)).isEqualTo("Waiting");
            assertThat(scene.job(job).losses()).isEqualTo(loss);
            scene.join();
        }
        scene.tell(new Report.Fenced(new AgentId("agent")));
        assertThat(scene.phase(job)).isEqualTo("FAILED node_lost");
    }

    @Test
    void helloSettlesWhatTheLedgerBelieved() {
        var node = aNode("n1").build();
        Scene scene = Scene.with(node);
        JobId gone = scene.submit(aJob().gpus(2));
        JobId kept = scene.submit(aJob().gpus(2));
        scene.runs(gone);
        var agent = new Agent(new AgentId("agent"), Agent.Custody.SELF_FENCING, 0);
        var seen = new Report.Seen(scene.run(kept).id(), 0, new TaskState.Running());
        scene.tell(new Report.Hello(agent, List.of(node), List.of(seen)));
        assertThat(scene.phase(kept)).isEqualTo("Running");
        assertThat(scene.job(gone).losses()).isEqualTo(1);
    }

    @Test
    void aLostRunIsARunBeforeAlsoAfterAHold() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob());
        assertThat(waiting(scene, scene.submit(aJob().gpus(9))).ranBefore()).isFalse();
        scene.runs(job);
        scene.tell(new Report.Fenced(new AgentId("agent")));
        assertThat(scene.job(job).evictions()).isZero();
        assertThat(waiting(scene, job).ranBefore()).isTrue();
        scene.tell(new Command.Hold(job, "me"));
        scene.tell(new Command.Release(job, "me"));
        assertThat(waiting(scene, job).ranBefore()).isTrue();
    }

    private static Phase.Waiting waiting(Scene scene, JobId job) {
        return (Phase.Waiting) scene.job(job).phase();
    }

    @Test
    void changingATenantThatWasRemovedDoesNotBringItBack() {
        Scene scene = Scene.with();
        scene.tenant("team", 4, false);
        Tenant seen =
                Objects.requireNonNull(scene.engine().state().tenants().find(new TenantId("team")));
        scene.tell(new Command.RemoveTenant(seen.id(), "one"));
        assertThat(scene.tell(new Command.PutTenant(seen, false, "another")))
                .isInstanceOfSatisfying(
                        Answer.Rejected.class,
                        no ->
                                assertThat(no.problems().getFirst().code())
                                        .isEqualTo(Problem.Code.UNKNOWN_TENANT));
        assertThat(scene.engine().state().tenants().find(seen.id())).isNull();
    }

    @Test
    void whyAJobWaitsIsToldAlsoWhenNothingElseHappened() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.submit(aJob().gpus(4));
        scene.pass(Duration.ZERO);
        assertThat(Objects.requireNonNull(scene.last()).attempts()).isEmpty();
        long batches = scene.engine().lastBatch();
        scene.engine().state().wakeEverything(scene.now());
        JobId job = scene.submit(aJob().gpus(9));
        assertThat(scene.engine().lastBatch()).isEqualTo(batches + 1);
        scene.engine().state().wakeEverything(scene.now());
        scene.pass(Duration.ZERO);
        assertThat(scene.engine().lastBatch()).isEqualTo(batches + 1);
        assertThat(Objects.requireNonNull(scene.last()).attempts()).containsOnlyKeys(job);
    }

    @Test
    void nobodySavesUpPriorityByHoldingAJob() {
        var settings =
                EngineSettings.builder()
                        .policy(PolicySettings.DEFAULT.ageingHeld(false))
                        .maxWaiting(1000)
                        .build();
        var scene = new Scene("priority", settings);
        JobId saved = scene.submit(aJob().gpus(8));
        scene.tell(new Command.Hold(saved, "me"));
        scene.pass(Duration.ofHours(10));
        JobId next = scene.submit(aJob().gpus(8));
        scene.pass(Duration.ofMinutes(1));
        scene.tell(new Command.Release(saved, "me"));
        scene.join(aNode("n1").build());
        assertThat(scene.phase(next)).isEqualTo("Starting");
        assertThat(scene.phase(saved)).isEqualTo("Waiting");
    }

    @Test
    void aHeldJobIsNotPlacedUntilItIsReleased() {
        Scene scene = Scene.with();
        JobId job = scene.submit(aJob());
        scene.tell(new Command.Hold(job, "me"));
        scene.join(aNode("n1").build());
        assertThat(scene.phase(job)).isEqualTo("Held");
        scene.tell(new Command.Release(job, "me"));
        assertThat(scene.phase(job)).isEqualTo("Starting");
    }

    @Test
    void aTaskThatDoesNotStopMarksItsGpusUntilItIsGone() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob().gpus(2));
        scene.runs(job);
        scene.tell(new Command.Cancel(job, "me"));
        scene.pass(Duration.ofMinutes(3));
        var node = Objects.requireNonNull(scene.engine().state().nodes().find(new NodeId("n1")));
        assertThat(node.unfitGpus()).isEqualTo(0b11);
        var warm = new GpuCondition(Heat.WARM, true, "");
        scene.tell(new Report.GpuChanged(new NodeId("n1"), 0, warm));
        assertThat(node.unfitGpus()).as("a sensor does not undo it").isEqualTo(0b11);
        scene.ends(job, Exit.How.STOPPED, 137);
        assertThat(node.unfitGpus()).isEqualTo(0);
        assertThat(node.condition(0)).isEqualTo(warm);
    }

    @Test
    void aJobThatDoesNotStartInTimeIsTriedAgain() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob());
        scene.pass(Duration.ofMinutes(6));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        scene.ends(job, Exit.How.STOPPED, -1);
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.job(job).attempts()).isEqualTo(2);
    }

    private static Task.Order order(Scene scene, String node) {
        return Objects.requireNonNull(scene.assignment(node)).tasks().getFirst().order();
    }

    private static Usage usage(Scene scene) {
        return scene.engine().state().tenants().usage(Tenant.DEFAULT);
    }

    private static JobId job(Answer answer) {
        return Objects.requireNonNull(((Answer.Accepted) answer).job());
    }

    private static Problem.Code code(Answer answer) {
        return ((Answer.Rejected) answer).problems().getFirst().code();
    }
}
