package io.gpusched.operator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.Taint;

import org.junit.jupiter.api.Test;

import java.util.List;

final class NodeDescriptionTest {
    private final NodeLabels nodeLabels = new NodeLabels("c");

    @Test
    void aNodeOffersWhatItsKubeletOffers() {
        NodeFacts facts = facts(KubeYaml.node("n1", 2));
        assertThat(facts.getNodeId()).isEqualTo("n1");
        assertThat(facts.getIpAddress()).isEqualTo("10.0.0.1");
        assertThat(facts.getMilliCpu()).isEqualTo(64_000);
        assertThat(facts.getMemoryMb()).isEqualTo(512 * 1024);
        assertThat(facts.getGpusList()).hasSize(2).allMatch(gpu -> gpu.getMemoryMb() == 81_920);
        assertThat(facts.getGpusList()).extracting(GpuFacts::getModel).containsOnly("A100-80GB");
        assertThat(facts.getTaintsList()).isEmpty();
        assertThat(facts.getLabelsMap())
                .containsEntry("metadata.name", "n1")
                .containsEntry("kubernetes.io/hostname", "n1")
                .doesNotContainKey("neuronetes.io/mig-config");
    }

    @Test
    void slicesArePackedIntoCards() {
        ObjectNode node = KubeYaml.node("n1", 1);
        labels(node).put("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB");
        labels(node).put("nvidia.com/gpu.memory", "40960");
        // A label value that real API servers refuse; what the kubelet offers counts.
        labels(node).put("neuronetes.io/mig-config", "1g.5gb:7,2g.10gb:3");
        allocatable(node).put("nvidia.com/mig-1g.5gb", 7).put("nvidia.com/mig-3g.20gb", "2");
        NodeFacts facts = facts(node);
        assertThat(facts.getLabelsMap())
                .containsEntry("neuronetes.io/mig-config", "none|3g.20gb:2|1g.5gb:7");
        assertThat(facts.getGpusList())
                .extracting(GpuFacts::getMigCapable)
                .containsExactly(false, true, true);
    }

    @Test
    void slicesOfDifferentKindsShareACard() {
        ObjectNode node = KubeYaml.node("n1", 0);
        allocatable(node)
                .put("nvidia.com/mig-3g.40gb", 1)
                .put("nvidia.com/mig-2g.20gb", 1)
                .put("nvidia.com/mig-1g.10gb", 2);
        assertThat(facts(node).getLabelsMap())
                .containsEntry("neuronetes.io/mig-config", "3g.40gb:1,2g.20gb:1,1g.10gb:2");
    }

    @Test
    void slicesOfAnUnknownCardAreLeftOutAndToldToPeople() {
        ObjectNode node = KubeYaml.node("n1", 1);
        labels(node).removeAll();
        allocatable(node).put("nvidia.com/mig-1g.5gb", 7);
        assertThat(facts(node).getGpusCount()).isEqualTo(1);
        assertThat(NodeDescription.problem(node))
                .contains("n1")
                .contains("set its label nvidia.com/gpu.product");
    }

    @Test
    void labelsOfTheSeedNameTheGpu() {
        ObjectNode node = KubeYaml.node("n1", 1);
        labels(node).removeAll();
        labels(node)
                .put("neuronetes.io/gpu-type", "A100-40GB")
                .put("neuronetes.io/gpu-memory", "40Gi");
        GpuFacts gpu = facts(node).getGpus(0);
        assertThat(gpu.getModel()).isEqualTo("A100-40GB");
        assertThat(gpu.getMemoryMb()).isEqualTo(40_960);
    }

    @Test
    void aCordonedOrSilentNodeHasTheTaintThatKubernetesIsAboutToAdd() {
        ObjectNode cordoned = KubeYaml.node("n1", 1);
        ((ObjectNode) cordoned.get("spec")).put("unschedulable", true);
        assertThat(facts(cordoned).getTaintsList())
                .containsExactly(taint("node.kubernetes.io/unschedulable"));

        ObjectNode silent = KubeYaml.node("n2", 1);
        ((ObjectNode) silent.at("/status/conditions/0")).put("status", "Unknown");
        assertThat(facts(silent).getTaintsList())
                .containsExactly(taint("node.kubernetes.io/unreachable"));

        ((ObjectNode) silent.get("spec"))
                .set(
                        "taints",
                        KubeYaml.object(
                                        "t: [{key: node.kubernetes.io/unreachable, effect:"
                                                + " NoSchedule}]")
                                .get("t"));
        assertThat(facts(silent).getTaintsList())
                .containsExactly(taint("node.kubernetes.io/unreachable"));
    }

    @Test
    void onlyUsualLabelsAndThoseThatPodsNameAreTold() {
        ObjectNode node = KubeYaml.node("n1", 1);
        labels(node)
                .put("feature.node.kubernetes.io/cpu-cpuid.ADX", "true")
                .put("example.com/disk", "ssd")
                .put("team", "a");
        assertThat(facts(node).getLabelsMap())
                .containsKey("team")
                .doesNotContainKeys("example.com/disk", "feature.node.kubernetes.io/cpu-cpuid.ADX");
        assertThat(nodeLabels.name(List.of("example.com/disk", "team"))).isTrue();
        assertThat(nodeLabels.name(List.of("example.com/disk"))).isFalse();
        assertThat(facts(node).getLabelsMap()).containsEntry("example.com/disk", "ssd");
    }

    @Test
    void aNodeOfNonsenseStillHasFacts() {
        NodeFacts facts =
                facts(
                        KubeYaml.object(
                                """
                                metadata: {name: n1, labels: {nvidia.com/gpu.memory: much}}
                                spec: []
                                status: {conditions: {}, addresses: 7, allocatable: {nvidia.com/gpu: "-1"}}
                                """));
        assertThat(facts.getGpusCount()).isZero();
        assertThat(facts.getTaintsList()).containsExactly(taint("node.kubernetes.io/not-ready"));
    }

    private NodeFacts facts(ObjectNode node) {
        return new NodeDescription(nodeLabels).facts(node);
    }

    private static ObjectNode labels(ObjectNode node) {
        return (ObjectNode) node.at("/metadata/labels");
    }

    private static ObjectNode allocatable(ObjectNode node) {
        return (ObjectNode) node.at("/status/allocatable");
    }

    private static Taint taint(String key) {
        return Taint.newBuilder().setKey(key).setEffect("NoSchedule").build();
    }
}
