package io.gpusched.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.policy.RetryCondition;

import org.junit.jupiter.api.Test;

/// What no node could give is refused at once.
final class RequestFeasibilityTest {
    private final Scene scene = Scene.with(NodeBuilder.aNode("n1").wired().build());

    private Answer submit(JobBuilder job) {
        return scene.tell(new Command.Submit(job.spec(), "", 0, false, "tester"));
    }

    private Problem refused(JobBuilder job) {
        return ((Answer.Rejected) submit(job)).problems().getFirst();
    }

    private static JobBuilder whole(int count, Locality locality, int gbps) {
        return JobBuilder.aJob().asking(new GpuRequest.Whole(count, 0, locality, gbps));
    }

    @Test
    void aBandwidthThatNoNodeHas() {
        Problem problem = refused(whole(4, Locality.ANY, 900));
        assertThat(problem.field()).isEqualTo("gpu_min_bandwidth");
        assertThat(problem.hint()).isEqualTo("ask for at most 600Gi");
    }

    @Test
    void theBandwidthOfAnotherModelIsNoHint() {
        scene.join(NodeBuilder.aNode("n2: 8×V100-32GB").wired().build());
        Problem problem = refused(whole(2, Locality.ANY, 300).model("V100-32GB"));
        assertThat(problem.message())
                .isEqualTo("no node reaches 300 GB/s between 2 GPUs of [V100-32GB]");
        assertThat(problem.hint()).isEqualTo("ask for at most 100Gi");
    }

    @Test
    void aBandwidthBetweenMoreGpusThanAnyNodeHas() {
        Problem problem = refused(whole(16, Locality.ANY, 300));
        assertThat(problem.field()).isEqualTo("gpu_min_bandwidth");
        assertThat(problem.message()).isEqualTo("no node has 16 GPUs of one family");
        assertThat(problem.hint()).isEqualTo("ask for at most 8 GPUs, or for no bandwidth");
    }

    @Test
    void aLocalityThatNoNodeHas() {
        Problem problem = refused(whole(5, Locality.SAME_SOCKET, 0));
        assertThat(problem.field()).isEqualTo("gpu_locality");
        assertThat(problem.hint()).contains("at most 4");
    }

    @Test
    void aModelThatNobodyKnows() {
        Problem problem = refused(JobBuilder.aJob().model("A10O-80GB"));
        assertThat(problem.field()).isEqualTo("gpu_model");
        assertThat(problem.hint()).isEqualTo("did you mean A100-80GB?");
    }

    @Test
    void aModelThatMayStillComeIsAcceptedWithAWarning() {
        Answer answer = submit(JobBuilder.aJob().model("H100-80GB"));
        assertThat(((Answer.Accepted) answer).warnings())
                .singleElement()
                .asString()
                .contains("H100");
    }

    private String warned(JobBuilder job) {
        return String.join("; ", ((Answer.Accepted) submit(job)).warnings());
    }

    @Test
    void whatOnlyALargerFleetCouldTakeIsAcceptedWithAWarning() {
        assertThat(warned(JobBuilder.aJob().gpus(4).tasks(2))).isEmpty();
        assertThat(warned(JobBuilder.aJob().gpus(4).tasks(3)))
                .contains("even when idle, can run 2 of 3 tasks");
        assertThat(warned(JobBuilder.aJob().gpus(16))).contains("node has 8 GPUs");
        assertThat(warned(JobBuilder.aJob().asking(GpuRequest.shares(400, 90_000, 1))))
                .contains("less than 90000 MiB");
        assertThat(warned(JobBuilder.aJob().asking(GpuRequest.slices("1g.10gb", 1))))
                .contains("does not allow MIG slices");
        assertThat(warned(JobBuilder.aJob().gpus(4).tasks(3).within("node")))
                .contains("even when idle");
    }

    @Test
    void theNodeThatIsNearestToTakingItIsNamed() {
        scene.join(
                NodeBuilder.aNode("n2").gpus(16).taint("dedicated").build(),
                NodeBuilder.aNode("n3").build());
        assertThat(warned(JobBuilder.aJob().gpus(16))).contains("tainted dedicated");
    }

    @Test
    void aGangThatWouldFitInSmallerTasksIsToldSo() {
        scene.join(NodeBuilder.aNode("n2").gpus(4).build());
        assertThat(warned(JobBuilder.aJob().gpus(6).tasks(2)))
                .contains("even when idle, can run 1 of 2 tasks; 3 tasks of 4 would fit");
        assertThat(warned(JobBuilder.aJob().gpus(5).tasks(3))).doesNotContain("would fit");
    }

    @Test
    void noFreedCapacityIsSaidToHelpAGangLargerThanTheFleet() {
        var job = scene.submit(JobBuilder.aJob().gpus(4).tasks(3));
        var why = scene.explainer().explain(job);
        assertThat(why.summary()).contains("even when idle, can run 2 of 3 tasks");
        assertThat(why.reasons())
                .flatExtracting(refusalCount -> refusalCount.refusal().liftedBy())
                .hasOnlyElementsOfType(RetryCondition.Fleet.class);
    }

    @Test
    void whereNoNodeTellsItsLinksTheHintSaysSo() {
        Scene flat = Scene.with(NodeBuilder.aNode("n1").build());
        var asked = whole(4, Locality.NVLINK, 0).spec();
        var answer = flat.tell(new Command.Submit(asked, "", 0, false, "tester"));
        Problem problem = ((Answer.Rejected) answer).problems().getFirst();
        assertThat(problem.message()).isEqualTo("no node reports how its GPUs are connected");
        assertThat(problem.hint()).contains("--topology");
    }

    @Test
    void anEmptyFleetRefusesNothing() {
        Answer answer =
                new Scene("priority")
                        .tell(
                                new Command.Submit(
                                        whole(5, Locality.NVLINK, 900).spec(),
                                        "",
                                        0,
                                        false,
                                        "tester"));
        assertThat(answer).isInstanceOf(Answer.Accepted.class);
    }
}
