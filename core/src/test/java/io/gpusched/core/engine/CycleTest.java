package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Who goes first, who waits for whom, and who has to leave.
final class CycleTest {
    @Test
    void higherPriorityGoesFirstAndWaitingCounts() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        JobId first = scene.submit(aJob());
        JobId old = scene.submit(aJob().priority(100));
        scene.pass(Duration.ofMinutes(6));
        JobId little = scene.submit(aJob().priority(150));
        JobId much = scene.submit(aJob().priority(200));
        scene.completes(first);
        assertThat(scene.phase(much)).isEqualTo("Starting");
        scene.completes(much);
        assertThat(scene.phase(old)).as("six minutes are worth 60 points").isEqualTo("Starting");
        scene.completes(old);
        assertThat(scene.phase(little)).isEqualTo("Starting");
    }

    @Test
    void shortJobsPassTheHeadIfTheyDoNotDelayIt() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId running = scene.submit(aJob().gpus(4).limit(Duration.ofHours(2)));
        scene.runs(running);
        JobId head = scene.submit(aJob().gpus(8).limit(Duration.ofHours(1)));
        JobId shorter = scene.submit(aJob().gpus(2).limit(Duration.ofHours(1)));
        JobId longer = scene.submit(aJob().gpus(2).limit(Duration.ofHours(3)));
        assertThat(scene.phase(head)).isEqualTo("Waiting");
        assertThat(scene.phase(shorter)).isEqualTo("Starting");
        assertThat(scene.phase(longer)).isEqualTo("Waiting");
        scene.completes(shorter);
        scene.completes(running);
        assertThat(scene.phase(head)).isEqualTo("Starting");
        scene.completes(head);
        assertThat(scene.phase(longer)).isEqualTo("Starting");
    }

    @Test
    void aReservationLapsesAndIsPlannedAnewWhenItsTimeHasCome() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId running = scene.submit(aJob().gpus(4).limit(Duration.ofHours(2)));
        scene.runs(running);
        JobId head = scene.submit(aJob().gpus(8));
        var before = scene.engine().state().claims().getFirst();
        scene.pass(Duration.ofHours(3));
        var after = scene.engine().state().claims().getFirst();
        assertThat(after.id()).isNotEqualTo(before.id());
        assertThat(after.isFor(head)).isTrue();
        assertThat(after.until()).isAfter(scene.now());
    }

    @Test
    void strictOrderLetsNobodyPass() {
        var scene = new Scene("fifo-strict");
        scene.join(aNode("n1").build());
        scene.submit(aJob().gpus(4));
        JobId head = scene.submit(aJob().gpus(8));
        JobId small = scene.submit(aJob().gpus(1).limit(Duration.ofMinutes(1)));
        assertThat(scene.phase(head)).isEqualTo("Waiting");
        assertThat(scene.phase(small)).isEqualTo("Waiting");
    }

    @Test
    void aHigherPriorityMakesTheFewestLeaveAndGetsTheirPlace() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("batch", 100, true);
        JobId older = scene.submit(aJob().of("batch").gpus(4).priority(10));
        scene.runs(older);
        scene.pass(Duration.ofMinutes(10));
        JobId younger = scene.submit(aJob().of("batch").gpus(4).priority(10));
        scene.runs(younger);
        scene.pass(Duration.ofMinutes(10));
        JobId urgent = scene.submit(aJob().gpus(4).priority(1000));
        assertThat(scene.phase(younger)).as("less work is lost").isEqualTo("Stopping");
        assertThat(scene.phase(older)).isEqualTo("Running");
        assertThat(scene.phase(urgent)).isEqualTo("Waiting");
        scene.ends(younger, Exit.How.STOPPED, 143);
        assertThat(scene.where(urgent)).isEqualTo("n1[4-7]");
        assertThat(scene.phase(younger)).isEqualTo("Waiting");
        assertThat(scene.job(younger).evictions()).isEqualTo(1);
    }

    @Test
    void nobodyLeavesWhenTheJobWouldNotFitAllTheSame() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("batch", 100, true);
        JobId firm = scene.submit(aJob().gpus(4).priority(10));
        JobId soft = scene.submit(aJob().of("batch").gpus(4).priority(10));
        scene.submit(aJob().gpus(8).priority(1000));
        assertThat(scene.phase(firm)).isEqualTo("Starting");
        assertThat(scene.phase(soft)).isEqualTo("Starting");
    }

    @Test
    void equalPriorityDoesNotPreempt() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("batch", 100, true);
        JobId holder = scene.submit(aJob().of("batch").gpus(8).priority(10));
        scene.submit(aJob().gpus(8).priority(10));
        assertThat(scene.phase(holder)).isEqualTo("Starting");
    }

    @Test
    void aTenantWaitsForItsQuotaWhileOthersGoOn() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("small", 2, false);
        JobId first = scene.submit(aJob().of("small").gpus(2));
        JobId second = scene.submit(aJob().of("small").gpus(1));
        JobId other = scene.submit(aJob().gpus(1));
        assertThat(scene.phase(second)).isEqualTo("Waiting");
        assertThat(scene.phase(other)).isEqualTo("Starting");
        assertThat(scene.explainer().explain(second).summary())
                .isEqualTo("quota exceeded for tenant small: GPUs requested=1, quota=2, current=2");
        scene.completes(first);
        assertThat(scene.phase(second)).isEqualTo("Starting");
    }

    @Test
    void whatCouldNeverFitTheQuotaIsRefusedAtOnce() {
        Scene scene = Scene.with();
        scene.tenant("small", 2, false);
        Answer answer =
                scene.tell(
                        new Command.Submit(aJob().of("small").gpus(3).spec(), "", 0, false, "me"));
        var problem = ((Answer.Rejected) answer).problems().getFirst();
        assertThat(problem.code()).isEqualTo(Problem.Code.QUOTA);
        assertThat(problem.message())
                .isEqualTo("quota exceeded for tenant small: GPUs requested=3, quota=2, current=0");
    }

    @Test
    void hotGpusAreLeftAloneUntilTheyCool() {
        Scene scene = Scene.with(aNode("n1").gpus(2).build());
        heat(scene, 0, Heat.HOT);
        JobId one = scene.submit(aJob().gpus(1));
        JobId two = scene.submit(aJob().gpus(1));
        assertThat(scene.where(one)).isEqualTo("n1[1]");
        assertThat(scene.phase(two)).isEqualTo("Waiting");
        Explanation why = scene.explainer().explain(two);
        assertThat(why.summary()).contains("too hot");
        assertThat(why.reasons().getFirst().lifts())
                .containsExactly("its GPUs have cooled, or others are freed");
        heat(scene, 0, Heat.WARM);
        assertThat(scene.where(two)).isEqualTo("n1[0]");
    }

    @Test
    void explainCountsTheNodesBehindEveryReason() {
        Scene scene =
                Scene.with(
                        aNode("n1").model("V100-32GB").build(),
                        aNode("n2").build(),
                        aNode("n3").taint("special").build(),
                        aNode("n4").build());
        scene.tell(new Command.Cordon(new NodeId("n4"), "me"));
        scene.submit(aJob().gpus(8).model("A100"));
        JobId job = scene.submit(aJob().gpus(8).model("A100"));
        var reasons = scene.explainer().explain(job).reasons();
        assertThat(reasons)
                .extracting(r -> r.refusal().by() + " " + r.nodes())
                .contains("gpu-model 1", "taint 1", "closed 1");
    }

    @Test
    void drainingWithEvictionMovesJobsElsewhere() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob().gpus(4));
        scene.runs(job);
        scene.join(aNode("n2").agent("other").build());
        scene.tell(new Command.Drain(new NodeId("n1"), true, "me"));
        scene.ends(job, Exit.How.STOPPED, 143);
        assertThat(scene.where(job)).isEqualTo("n2[0-3]");
    }

    private static void heat(Scene scene, int gpu, Heat heat) {
        scene.tell(new Report.GpuChanged(new NodeId("n1"), gpu, new GpuCondition(heat, true, "")));
    }
}
