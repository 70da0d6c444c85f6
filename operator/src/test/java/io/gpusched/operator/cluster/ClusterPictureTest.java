package io.gpusched.operator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.wire.proto.agent.ForeignTask;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.NodesChanged;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

final class ClusterPictureTest {
    private final Set<String> tasks = new HashSet<>();
    private final ClusterPicture picture = new ClusterPicture(new NodeLabels("c"), tasks::contains);

    @Test
    void everyChangeIsToldOnce() {
        picture.put(KubeYaml.node("n1", 4));
        assertThat(picture.changes().getDescribedList())
                .extracting(NodeFacts::getNodeId)
                .containsExactly("n1");
        picture.put(KubeYaml.node("n1", 4));
        assertThat(picture.changes()).isEqualTo(NodesChanged.getDefaultInstance());
        picture.put(KubeYaml.node("n1", 3));
        assertThat(picture.changes().getDescribed(0).getGpusCount()).isEqualTo(3);
        picture.remove("n1");
        picture.remove("n1");
        assertThat(picture.changes().getGoneList()).containsExactly("n1");
        assertThat(nodes()).isEmpty();
    }

    @Test
    void foreignPodsCountUntilTheyAreOver() {
        picture.put(KubeYaml.node("n1", 4));
        picture.putPod(on("n1", KubeYaml.gpuPod("a", 1)));
        picture.putPod(on("n1", KubeYaml.gpuPod("b", 0)));
        picture.putPod(on("n1", KubeYaml.gpuPod("c", 0)));
        assertThat(foreign())
                .containsExactly(task("team/a", 1, 1_000), task("2 other pods", 0, 2_000));

        ObjectNode leaving = on("n1", KubeYaml.gpuPod("a", 1));
        ((ObjectNode) leaving.get("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");
        picture.putPod(leaving);
        picture.removePod("uid-b");
        assertThat(foreign())
                .containsExactly(task("team/a", 1, 1_000), task("1 other pod", 0, 1_000));

        ((ObjectNode) leaving.get("status")).put("phase", "Failed");
        picture.putPod(leaving);
        picture.removePod("uid-c");
        assertThat(picture.changes().getForeign(0).getTasksList()).isEmpty();
    }

    @Test
    void aTaskOfOursIsNotForeign() {
        picture.put(KubeYaml.node("n1", 4));
        tasks.add("uid-a");
        picture.putPod(on("n1", KubeYaml.gpuPod("a", 1)));
        assertThat(foreign()).isEmpty();
        tasks.remove("uid-a");
        picture.changeOwner("uid-a");
        assertThat(foreign()).containsExactly(task("team/a", 1, 1_000));
    }

    @Test
    void aPodMayBeReadBeforeItsNode() {
        picture.putPod(on("n1", KubeYaml.gpuPod("a", 1)));
        assertThat(picture.changes()).isEqualTo(NodesChanged.getDefaultInstance());
        picture.put(KubeYaml.node("n1", 4));
        assertThat(foreign()).containsExactly(task("team/a", 1, 1_000));
        assertThat(picture.everything()).hasSize(1);
        assertThat(picture.changes()).isEqualTo(NodesChanged.getDefaultInstance());
    }

    @Test
    void anObjectThatCannotBeReadStopsNothing() {
        ObjectNode broken = KubeYaml.node("n1", 4);
        ((ObjectNode) broken.at("/status/allocatable")).put("cpu", "many");
        picture.put(KubeYaml.node("n1", 4));
        picture.put(broken);
        picture.put(KubeYaml.node("n2", 4));
        assertThat(nodes()).containsExactly("n1", "n2");
    }

    @Test
    void aShortageNamesTheResource() {
        picture.put(KubeYaml.node("n1", 4));
        picture.putPod(on("n1", KubeYaml.gpuPod("a", 3)));
        PodResources two = PodResources.of(KubeYaml.gpuPod("b", 2));
        assertThat(picture.shortage("n1", "uid-b", two))
                .isEqualTo("node n1 has 1 of nvidia.com/gpu left, and the pod asks for 2");
        assertThat(picture.shortage("n1", "uid-a", two)).isEmpty();
        assertThat(picture.shortage("n2", "uid-b", two)).isEqualTo("node n2 is gone");
        PodResources network =
                PodResources.of(
                        KubeYaml.pod("c", "containers: [{resources: {requests: {rdma/hca: 1}}}]"));
        assertThat(picture.shortage("n1", "uid-c", network)).contains("0 of rdma/hca left");
    }

    @Test
    void aLabelThatAPodNamesIsToldOfAllNodes() {
        ObjectNode node = KubeYaml.node("n1", 1);
        ((ObjectNode) node.at("/metadata/labels")).put("example.com/disk", "ssd");
        picture.put(node);
        picture.put(KubeYaml.node("n2", 1));
        picture.changes();
        picture.tellLabels(List.of("example.com/disk"));
        NodesChanged changes = picture.changes();
        assertThat(changes.getDescribedList())
                .extracting(NodeFacts::getNodeId)
                .containsExactly("n1");
    }

    private List<String> nodes() {
        return picture.everything().stream()
                .flatMap(message -> message.getDescribedList().stream())
                .map(NodeFacts::getNodeId)
                .toList();
    }

    private List<ForeignTask> foreign() {
        return picture.changes().getForeign(0).getTasksList();
    }

    private static ObjectNode on(String node, ObjectNode pod) {
        ((ObjectNode) pod.get("spec")).put("nodeName", node);
        return pod;
    }

    private static ForeignTask task(String id, int gpus, long milliCpu) {
        return ForeignTask.newBuilder()
                .setId(id)
                .setGpus(gpus)
                .setMilliCpu(milliCpu)
                .setMemoryMb(milliCpu / 1000 * 1024)
                .build();
    }
}
