package io.gpusched.operator.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.ResourceType;

import org.junit.jupiter.api.Test;

final class PodReaderTest {
    private static final String LATE_CLASS =
            """
            metadata: {name: late}
            provisioner: disks.example.com
            volumeBindingMode: WaitForFirstConsumer
            allowedTopologies:
            - matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [a, b]}]
            """;

    private final KnownObjects objects = new KnownObjects();

    @Test
    void aPodBecomesATask() {
        PodReading.Demand demand =
                demand(
                        """
                        nodeSelector: {disk: ssd}
                        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}, {key: spot, value: "true", tolerationSeconds: 5}]
                        containers: [{resources: {requests: {cpu: 1500m, memory: 3Gi, nvidia.com/gpu: 2}}}]
                        """);
        assertThat(demand.shape())
                .hasToString(
                        "{\"gpu_count\":2,\"cpu_milli\":1500,\"memory_mb\":3072,\"tolerations\":"
                            + "[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\",\"effect\":\"NoSchedule\"},"
                            + "{\"key\":\"spot\",\"value\":\"true\"}],\"node_selector\":{\"disk\":\"ssd\"}}");
        assertThat(demand.labels()).containsExactly("disk");
        assertThat(demand.notes()).isEmpty();
    }

    @Test
    void slicesAreAskedForByProfile() {
        assertThat(
                        demand("containers: [{resources: {requests: {nvidia.com/mig-3g.20gb: 2}}}]")
                                .shape())
                .hasToString(
                        "{\"gpu_count\":2,\"mig_profile\":\"3g.20gb\",\"cpu_milli\":0,\"memory_mb\":0}");
    }

    @Test
    void requiredNodeAffinityBecomesRequirements() {
        PodReading.Demand demand =
                demand(
                        """
                        affinity:
                          nodeAffinity:
                            requiredDuringSchedulingIgnoredDuringExecution:
                              nodeSelectorTerms:
                              - matchExpressions: [{key: zone, operator: In, values: [a]}, {key: cards, operator: Gt, values: ["4"]}]
                              - matchFields: [{key: metadata.name, operator: In, values: [n7]}]
                              - {}
                        """);
        assertThat(demand.shape().get("node_requirements"))
                .isEqualTo(
                        KubeYaml.object(
                                        """
                                        r:
                                        - [{key: zone, op: In, values: [a]}, {key: cards, op: Gt, values: ["4"]}]
                                        - [{key: metadata.name, op: In, values: [n7]}]
                                        """)
                                .get("r"));
        assertThat(demand.labels()).containsExactly("zone", "cards", "metadata.name");
    }

    @Test
    void aBoundVolumeFixesTheNodes() {
        objects.with(
                        ResourceType.VOLUME_CLAIMS,
                        "{metadata: {namespace: team, name: data}, spec: {volumeName: v}, status:"
                                + " {phase: Bound}}")
                .with(
                        ResourceType.VOLUMES,
                        """
                        metadata: {name: v}
                        spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [b]}]}]}}}
                        """);
        PodReading.Demand demand =
                demand(
                        """
                        volumes: [{name: data, persistentVolumeClaim: {claimName: data}}, {name: tmp, emptyDir: {}}]
                        affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: Exists}]}]}}}
                        """);
        assertThat(demand.shape().get("node_requirements").toString())
                .isEqualTo(
                        "[[{\"key\":\"disk\",\"op\":\"Exists\",\"values\":[]},"
                                + "{\"key\":\"zone\",\"op\":\"In\",\"values\":[\"b\"]}]]");
    }

    @Test
    void aClaimThatWaitsForItsFirstConsumerIsBoundLater() {
        objects.with(ResourceType.STORAGE_CLASSES, LATE_CLASS)
                .with(
                        ResourceType.VOLUME_CLAIMS,
                        "{metadata: {namespace: team, name: p-data}, spec: {storageClassName:"
                                + " late}, status: {phase: Pending}}");
        ObjectNode pod =
                KubeYaml.pod("p", "volumes: [{name: data, ephemeral: {volumeClaimTemplate: {}}}]");
        var podReader = new PodReader(objects);
        assertThat(podReader.claimsToBind(pod)).containsExactly("p-data");
        assertThat(podReader.read(pod)).isInstanceOf(PodReading.Demand.class);
        assertThat(((PodReading.Demand) podReader.read(pod)).labels())
                .containsExactly("topology.kubernetes.io/zone");
    }

    @Test
    void aClaimThatCannotBeUsedYetHoldsThePodBack() {
        String volumes = "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]";
        assertThat(read(volumes))
                .isEqualTo(
                        new PodReading.Waits(
                                "PersistentVolumeClaim data does not exist; create it"));
        objects.with(
                ResourceType.VOLUME_CLAIMS,
                "{metadata: {namespace: team, name: data}, spec: {storageClassName: now}}");
        assertThat(read(volumes))
                .isEqualTo(
                        new PodReading.Waits(
                                "PersistentVolumeClaim data is not bound; its StorageClass is"
                                        + " \"now\""));
    }

    @Test
    void whatCannotBeHonouredIsSaid() {
        assertRefused("resourceClaims: [{name: gpu}]", "resourceClaims");
        assertRefused(
                "containers: [{resources: {requests: {nvidia.com/gpu: 1, nvidia.com/mig-1g.5gb:"
                        + " 1}}}]",
                "ask for one kind");
        assertRefused("containers: [{resources: {requests: {cpu: lots}}}]", "\"lots\"");
        assertRefused(
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                        + " {nodeSelectorTerms: [{}]}}}",
                "matches no node");
        PodReading.Demand demand =
                demand(
                        """
                        affinity:
                          podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone}]}
                          nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]}
                        topologySpreadConstraints: [{maxSkew: 1}]
                        containers: [{resources: {requests: {rdma/hca: 1}}}]
                        """);
        assertThat(demand.notes())
                .containsExactly(
                        "required pod anti-affinity is not considered",
                        "preferred affinity is not considered",
                        "topology spread constraints are not considered",
                        "rdma/hca is only checked when the pod is bound");
    }

    private void assertRefused(String spec, String why) {
        assertThat(read(spec))
                .isInstanceOfSatisfying(
                        PodReading.Refused.class,
                        refused -> assertThat(refused.why()).contains(why));
    }

    private PodReading.Demand demand(String spec) {
        assertThat(read(spec)).isInstanceOf(PodReading.Demand.class);
        return (PodReading.Demand) read(spec);
    }

    private PodReading read(String spec) {
        return new PodReader(objects).read(KubeYaml.pod("p", spec));
    }
}
