package io.gpusched.operator;

import static io.gpusched.operator.OperatorScene.soon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.ResourceType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/// Pods of a cluster, scheduled by a real scheduler.
@Timeout(240)
final class OperatorTest {
    @TempDir Path folder;
    private OperatorScene scene;

    @BeforeEach
    void start() {
        scene = new OperatorScene(folder);
        scene.node("n1", 4);
        scene.node("n2", 4);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void aPodIsBoundAndItsEndIsTheEndOfItsJob() {
        scene.pod("a", 2);
        soon("a is bound", () -> scene.isBound("a"));
        soon("its job runs", () -> scene.jobs("running") == 1);
        assertThat(scene.scheduler.get("/api/v1/jobs").at("/jobs/0/tenant_id").asText())
                .isEqualTo(OperatorScene.NAMESPACE);
        scene.status("a", "{phase: Succeeded}");
        soon("its job has completed", () -> scene.jobs("completed") == 1);
        scene.pod("b", 4);
        scene.pod("c", 4);
        soon("the GPUs are free again", () -> scene.isBound("b") && scene.isBound("c"));
        scene.checkNodes();
    }

    @Test
    void aGangWaitsWholeIsExplainedAndStartsWhole() {
        scene.pod("first", 2);
        soon("first is bound", () -> scene.isBound("first"));
        scene.gang("train", 2, 4);
        soon("0 is told why it waits", () -> scene.whyWaits("train-0").contains("GPU"));
        soon("1 is told why it waits", () -> scene.whyWaits("train-1").contains("GPU"));
        assertThat(scene.isBound("train-0") || scene.isBound("train-1")).isFalse();
        assertThat(scene.whyWaits("train-0")).isEqualTo(scene.whyWaits("train-1"));
        scene.delete("first");
        soon("it starts", () -> scene.isBound("train-0") && scene.isBound("train-1"));
        scene.checkNodes();
    }

    @Test
    void aGangWithTooFewPodsIsToldSo() {
        String labels = "{gpu-scheduler.io/group: g, gpu-scheduler.io/group-size: '2'}";
        scene.pod("g-0", 1, labels);
        soon("g-0 is told", () -> scene.whyWaits("g-0").contains("needs 2 pods, and 1 is there"));
        scene.pod("g-1", 1, labels);
        soon("both start", () -> scene.isBound("g-0") && scene.isBound("g-1"));
        scene.pod("g-2", 1, labels);
        soon("g-2 is told", () -> scene.whyWaits("g-2").contains("group-size to 3"));
    }

    @Test
    void aGateHoldsAPodBack() {
        ObjectNode pod = KubeYaml.gpuPod("a", 1);
        ((ObjectNode) pod.get("metadata")).remove(List.of("uid", "creationTimestamp"));
        ((ObjectNode) pod.get("spec")).putArray("schedulingGates").addObject().put("name", "x");
        scene.create(pod);
        scene.pod("b", 1);
        soon("b is bound", () -> scene.isBound("b"));
        assertThat(scene.jobs("pending")).isZero();
        scene.api.patch(
                ResourceType.PODS,
                OperatorScene.NAMESPACE,
                "a",
                "",
                KubeApi.PatchKind.MERGE,
                KubeYaml.object("spec: {schedulingGates: null}"));
        soon("a is bound", () -> scene.isBound("a"));
    }

    @Test
    void aPodThatIsDeletedWhileItWaitsLeavesTheQueue() {
        scene.pod("large", 8);
        soon("it waits", () -> !scene.whyWaits("large").isEmpty());
        scene.delete("large");
        soon("its job is cancelled", () -> scene.jobs("cancelled") == 1);
    }

    @Test
    void aPodOfHigherPriorityPreemptsWithinTheBudget() {
        scene.api.create(
                ResourceType.PRIORITY_CLASSES,
                "",
                KubeYaml.object("{metadata: {name: urgent}, value: 1000}"));
        for (int i = 0; i < 2; i++) {
            scene.pod("low-" + i, 4);
        }
        soon("the nodes are full", () -> scene.isBound("low-0") && scene.isBound("low-1"));
        soon("both jobs run", () -> scene.jobs("running") == 2);
        ObjectNode urgent = KubeYaml.gpuPod("urgent", 4);
        ((ObjectNode) urgent.get("metadata")).remove(List.of("uid", "creationTimestamp"));
        ((ObjectNode) urgent.get("spec")).put("priorityClassName", "urgent");
        scene.create(urgent);
        soon(() -> "it is bound: " + scene.whyWaits("urgent"), () -> scene.isBound("urgent"));
        assertThat(scene.cluster.requests("create pods/eviction")).isEqualTo(1);
        scene.checkNodes();
    }

    @Test
    void podsOfAnotherSchedulerTakeTheirPart() {
        ObjectNode other = KubeYaml.gpuPod("other", 3);
        ((ObjectNode) other.get("metadata")).remove(List.of("uid", "creationTimestamp"));
        ((ObjectNode) other.get("spec")).put("schedulerName", "default-scheduler");
        scene.create(other);
        scene.api.post(
                ResourceType.PODS,
                OperatorScene.NAMESPACE,
                "other",
                "binding",
                KubeYaml.object(
                        "{apiVersion: v1, kind: Binding, metadata: {name: other}, target: {kind:"
                                + " Node, name: n1}}"));
        scene.pod("a", 4);
        soon("a is bound", () -> scene.nodeOf("a").equals("n2"));
        scene.pod("b", 1);
        scene.pod("c", 4);
        soon("b is bound", () -> scene.nodeOf("b").equals("n1"));
        soon("c is told why it waits", () -> !scene.whyWaits("c").isEmpty());
        scene.delete("other");
        scene.delete("b");
        soon("c is bound", () -> scene.isBound("c"));
        scene.checkNodes();
    }

    @Test
    void aNewNodeAndACordonedOneAreNoticed() {
        scene.pod("large", 8);
        soon("it waits", () -> !scene.whyWaits("large").isEmpty());
        scene.node("n3", 8);
        soon("it is bound", () -> scene.nodeOf("large").equals("n3"));
        scene.delete("large");
        scene.api.patch(
                ResourceType.NODES,
                "",
                "n3",
                "",
                KubeApi.PatchKind.MERGE,
                KubeYaml.object("spec: {unschedulable: true}"));
        soon("the job is over", () -> scene.jobs("running") == 0);
        scene.pod("again", 8);
        soon("it waits", () -> scene.whyWaits("again").contains("unschedulable"));
    }

    @Test
    void anOperatorThatIsKilledGoesOnWhereItWas() {
        scene.gang("train", 2, 4);
        soon("the gang runs", () -> scene.jobs("running") == 1);
        scene.pod("next", 4);
        soon("next waits", () -> !scene.whyWaits("next").isEmpty());
        scene.killOperator();
        scene.delete("train-0");
        scene.delete("train-1");
        scene.startOperatorAgain();
        soon("next is bound", () -> scene.isBound("next"));
        soon("one job runs", () -> scene.jobs("running") == 1);
        assertThat(scene.jobs("pending")).isZero();
        scene.checkNodes();
    }

    @Test
    void aSchedulerThatIsKilledGoesOnWhereItWas() {
        scene.pod("a", 4);
        soon("a runs", () -> scene.jobs("running") == 1);
        scene.scheduler.kill();
        scene.pod("b", 4);
        scene.pod("c", 4);
        scene.scheduler.startAgain();
        soon("one of them is bound", () -> scene.isBound("b") || scene.isBound("c"));
        soon("two jobs run", () -> scene.jobs("running") == 2);
        scene.checkNodes();
    }

    @Test
    void anApiServerThatIsAwayIsWaitedFor() {
        scene.pod("a", 4);
        soon("a is bound", () -> scene.isBound("a"));
        scene.cluster.goAway();
        scene.scheduler.get("/api/v1/jobs");
        scene.cluster.comeBack();
        scene.pod("b", 4);
        soon("b is bound", () -> scene.isBound("b"));
        scene.cluster.forgetHistory();
        scene.delete("a");
        scene.pod("c", 4);
        soon("c is bound", () -> scene.isBound("c"));
        scene.checkNodes();
    }
}
