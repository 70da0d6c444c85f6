package io.gpusched.operator.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;

import org.junit.jupiter.api.Test;

import java.util.List;

final class WorkloadKindTest {
    private static final String TEMPLATE = "{spec: {containers: [{name: main}]}}";

    @Test
    void aJobHasAsManyPodsAsItRunsAtATime() {
        assertCounts(WorkloadKind.JOB, "{template: %s}", 1);
        assertCounts(WorkloadKind.JOB, "{parallelism: 4, template: %s}", 4);
        assertCounts(WorkloadKind.JOB, "{parallelism: 4, completions: 2, template: %s}", 2);
        assertCounts(WorkloadKind.JOB, "{parallelism: 0, template: %s}");
        assertCounts(WorkloadKind.JOB, "{}");
    }

    @Test
    void aJobSetMultipliesItsJobs() {
        assertCounts(
                WorkloadKind.JOB_SET,
                "{replicatedJobs: [{replicas: 2, template: {spec: {parallelism: 3, template: %s}}},"
                        + " {template: {spec: {parallelism: 3, completions: 1, template: %s}}}]}",
                6,
                1);
    }

    @Test
    void aRayClusterHasAHeadAndWorkers() {
        String spec =
                "{headGroupSpec: {template: %s}, workerGroupSpecs: [{replicas: 2, numOfHosts: 2,"
                        + " template: %s}]}";
        assertCounts(WorkloadKind.RAY_CLUSTER, spec, 1, 4);
        assertCounts(WorkloadKind.RAY_JOB, "{rayClusterSpec: " + spec + "}", 1, 4);
    }

    @Test
    void aPyTorchJobHasAMasterAndWorkers() {
        assertCounts(
                WorkloadKind.PYTORCH_JOB,
                "{runPolicy: {}, pytorchReplicaSpecs: {Master: {template: %s}, Worker: {replicas:"
                        + " 3, template: %s}}}",
                1,
                3);
    }

    @Test
    void everyKindIsSuspendedByItsField() {
        for (WorkloadKind kind : WorkloadKind.values()) {
            ObjectNode object = KubeYaml.object("{spec: {runPolicy: {}}}");
            assertThat(kind.isSuspended(object)).isFalse();
            kind.setSuspended(object, true);
            assertThat(kind.isSuspended(object)).isTrue();
            assertThat(object.at("/spec/runPolicy/suspend").asBoolean())
                    .isEqualTo(kind == WorkloadKind.PYTORCH_JOB);
        }
    }

    @Test
    void theStatusTellsTheEnd() {
        assertEnd(WorkloadKind.JOB, "{conditions: [{type: Complete, status: 'True'}]}", true);
        assertEnd(WorkloadKind.JOB, "{conditions: [{type: Failed, status: 'True'}]}", false);
        assertEnd(WorkloadKind.JOB_SET, "{conditions: [{type: Completed, status: 'True'}]}", true);
        assertEnd(WorkloadKind.RAY_JOB, "{jobStatus: SUCCEEDED}", true);
        assertEnd(WorkloadKind.RAY_JOB, "{jobStatus: FAILED}", false);
        assertEnd(
                WorkloadKind.PYTORCH_JOB,
                "{conditions: [{type: Succeeded, status: 'True'}]}",
                true);
        ObjectNode runs = KubeYaml.object("{status: {conditions: [{type: Complete, status: no}]}}");
        assertThat(WorkloadKind.JOB.hasSucceeded(runs)).isFalse();
        assertThat(WorkloadKind.RAY_CLUSTER.hasSucceeded(runs)).isFalse();
    }

    private static void assertEnd(WorkloadKind kind, String status, boolean good) {
        ObjectNode object = KubeYaml.object("{status: " + status + "}");
        assertThat(kind.hasSucceeded(object)).isEqualTo(good);
        assertThat(kind.hasFailed(object)).isEqualTo(!good);
    }

    private static void assertCounts(WorkloadKind kind, String spec, long... counts) {
        ObjectNode object = KubeYaml.object("{spec: " + spec.formatted(TEMPLATE, TEMPLATE) + "}");
        List<Long> found = kind.podSets(object).stream().map(WorkloadKind.PodSet::count).toList();
        assertThat(found)
                .containsExactly(java.util.Arrays.stream(counts).boxed().toArray(Long[]::new));
    }
}
