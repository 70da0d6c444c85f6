package io.gpusched.operator.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.ResourceType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Objects;

final class GroupReaderTest {
    private final KnownObjects objects = new KnownObjects();

    @Test
    void aPodWithoutMarksHasNoGroup() {
        assertThat(new GroupReader(objects).read(KubeYaml.gpuPod("a", 1))).isNull();
    }

    @Test
    void ourOwnLabelsNameGroupAndSize() {
        ObjectNode pod = KubeYaml.gpuPod("a", 1);
        mark(pod, "labels", "gpu-scheduler.io/group", "train");
        mark(pod, "annotations", "gpu-scheduler.io/group-size", "4");
        assertThat(read(pod)).isEqualTo(new GroupRef("team", "train", 4, true, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "four", "0", "-1", "99999"})
    void aWrongSizeIsSaid(String size) {
        ObjectNode pod = KubeYaml.gpuPod("a", 1);
        mark(pod, "labels", "gpu-scheduler.io/group", "train");
        mark(pod, "labels", "gpu-scheduler.io/group-size", size);
        assertThat(read(pod).problem()).contains("gpu-scheduler.io/group-size");
    }

    @Test
    void groupsOfOtherSchedulersAreUnderstood() {
        assertMarked("labels", "scheduling.x-k8s.io/pod-group", GroupTypes.COSCHEDULING);
        assertMarked("labels", "pod-group.scheduling.sigs.k8s.io", GroupTypes.COSCHEDULING_BEFORE);
        assertMarked("annotations", "scheduling.k8s.io/group-name", GroupTypes.VOLCANO);
        assertMarked("annotations", "pod-group-name", GroupTypes.KAI);
    }

    private void assertMarked(String where, String key, ResourceType type) {
        ObjectNode pod = KubeYaml.gpuPod("a", 1);
        mark(pod, where, key, "g");
        assertThat(new GroupReader(new KnownObjects()).read(pod))
                .isNotNull()
                .satisfies(
                        group ->
                                assertThat(group.problem())
                                        .contains("PodGroup g does not exist in namespace team"));
        var known =
                new KnownObjects()
                        .with(type, "{metadata: {namespace: team, name: g}, spec: {minMember: 3}}");
        assertThat(new GroupReader(known).read(pod)).isEqualTo(GroupRef.of("team", "g", 3));
        var broken =
                new KnownObjects()
                        .with(type, "{metadata: {namespace: team, name: g}, spec: {minMember: x}}");
        assertThat(Objects.requireNonNull(new GroupReader(broken).read(pod)).problem())
                .contains("minMember of group g must be 1 to");
    }

    @Test
    void theLightweightLabelsNeedNoObject() {
        ObjectNode pod = KubeYaml.gpuPod("a", 1);
        mark(pod, "labels", "pod-group.scheduling.sigs.k8s.io/name", "g");
        mark(pod, "labels", "pod-group.scheduling.sigs.k8s.io/min-available", "2");
        assertThat(read(pod)).isEqualTo(GroupRef.of("team", "g", 2));
    }

    @Test
    void theUpstreamApiIsUnderstoodInEveryVersion() {
        objects.with(
                        GroupTypes.WORKLOAD,
                        """
                        metadata: {namespace: team, name: w}
                        spec: {podGroups: [{name: workers, policy: {gang: {minCount: 5}}}]}
                        """)
                .with(
                        GroupTypes.UPSTREAM,
                        """
                        metadata: {namespace: team, name: pg}
                        spec: {schedulingPolicy: {gang: {minCount: 6}}}
                        """);
        assertThat(read(KubeYaml.pod("a", "workloadRef: {name: w, podGroup: workers}")))
                .isEqualTo(GroupRef.of("team", "w/workers/", 5));
        assertThat(read(KubeYaml.pod("a", "schedulingGroup: {podGroupName: pg}")))
                .isEqualTo(GroupRef.of("team", "pg", 6));
        assertThat(read(KubeYaml.pod("a", "workloadRef: {name: w, podGroup: ps}")).problem())
                .contains("no pod group \"ps\"");
    }

    private GroupRef read(ObjectNode pod) {
        return Objects.requireNonNull(new GroupReader(objects).read(pod));
    }

    static void mark(ObjectNode pod, String where, String key, String value) {
        ((ObjectNode) pod.at("/metadata/" + where)).put(key, value);
    }
}
