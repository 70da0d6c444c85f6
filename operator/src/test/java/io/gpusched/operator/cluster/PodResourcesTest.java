package io.gpusched.operator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.operator.KubeYaml;

import org.junit.jupiter.api.Test;

import java.util.Map;

final class PodResourcesTest {
    @Test
    void containersAreSummed() {
        PodResources sum =
                of(
                        """
                        containers:
                        - resources: {requests: {cpu: 250m, memory: 100M, nvidia.com/gpu: "2"}}
                        - resources: {requests: {cpu: "1", nvidia.com/mig-1g.5gb.me: "1"}}
                        - {}
                        """);
        assertThat(sum.milliCpu()).isEqualTo(1_250);
        assertThat(sum.memoryMiB()).isEqualTo(96);
        assertThat(sum.gpus()).isEqualTo(2);
        assertThat(sum.slices()).isEqualTo(Map.of("1g.5gb+me", 1));
    }

    @Test
    void aLimitWithoutARequestIsARequest() {
        PodResources sum =
                of(
                        "containers: [{resources: {limits: {cpu: 2, nvidia.com/gpu: 1}, requests:"
                                + " {cpu: 1}}}]");
        assertThat(sum.milliCpu()).isEqualTo(1_000);
        assertThat(sum.gpus()).isEqualTo(1);
    }

    @Test
    void theLargestInitContainerCountsIfItIsLargerThanAllContainers() {
        PodResources sum =
                of(
                        """
                        initContainers:
                        - resources: {requests: {cpu: 3, memory: 1Gi}}
                        - resources: {requests: {cpu: 1, memory: 4Gi}}
                        containers: [{resources: {requests: {cpu: 2, memory: 2Gi}}}]
                        """);
        assertThat(sum.milliCpu()).isEqualTo(3_000);
        assertThat(sum.memoryMiB()).isEqualTo(4_096);
    }

    @Test
    void aSidecarRunsBesideEverythingAfterIt() {
        PodResources sum =
                of(
                        """
                        initContainers:
                        - resources: {requests: {cpu: 5}}
                        - {restartPolicy: Always, resources: {requests: {cpu: 2}}}
                        - resources: {requests: {cpu: 4}}
                        containers: [{resources: {requests: {cpu: 1}}}]
                        """);
        // Before the sidecar 5, with it 2 + 4, then 2 + 1.
        assertThat(sum.milliCpu()).isEqualTo(6_000);
    }

    @Test
    void overheadComesOnTopAndThePodAsAWholeWins() {
        PodResources sum =
                of(
                        """
                        overhead: {cpu: 100m}
                        resources: {requests: {cpu: 3}}
                        containers: [{resources: {requests: {cpu: 1, memory: 1Mi}}}]
                        """);
        assertThat(sum.milliCpu()).isEqualTo(3_100);
        assertThat(sum.memoryMiB()).isEqualTo(1);
    }

    @Test
    void aResizedContainerCountsWithTheLargerAmount() {
        var pod = KubeYaml.pod("a", "containers: [{name: main, resources: {requests: {cpu: 1}}}]");
        pod.set(
                "status",
                KubeYaml.object(
                        "containerStatuses: [{name: main, resources: {requests: {cpu: 4}}}]"));
        assertThat(PodResources.of(pod).milliCpu()).isEqualTo(4_000);
    }

    private static PodResources of(String spec) {
        return PodResources.of(KubeYaml.pod("a", spec));
    }
}
