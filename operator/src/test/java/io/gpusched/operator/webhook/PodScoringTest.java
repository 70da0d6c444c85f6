package io.gpusched.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

final class PodScoringTest {
    private static final FixedView CLUSTER =
            new FixedView(List.of("A100-80GB", "L4-24GB"), List.of("bert", "gpt"), true);

    private static final ResourceType ANYTHING =
            new ResourceType("", "v1", "configmaps", "ConfigMap", true);

    private final FakeGpuScorer scorer = new FakeGpuScorer().chooses("L4-24GB", 91.5);
    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());

    @AfterEach
    void end() {
        api.close();
        server.close();
    }

    /// The pod after the patch. It is applied to an object of another type, because an API server
    /// applies patches of webhooks before a pod exists, and changes of a pod that exists are few.
    private JsonNode patched(ObjectNode pod, ScoringView cluster) throws Exception {
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: team}"));
        server.create(ANYTHING, pod);
        JsonNode patch = scoring(cluster).patch(pod);
        return api.patch(ANYTHING, "team", "p", "", KubeApi.PatchKind.JSON, patch);
    }

    private PodScoring scoring(ScoringView cluster) {
        return new PodScoring(
                scorer, cluster, InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")));
    }

    private static ObjectNode pod(String annotations) {
        ObjectNode pod = KubeYaml.pod("p", "containers: [{name: main, image: busybox}]");
        ((ObjectNode) pod.get("metadata")).set("annotations", KubeYaml.object(annotations));
        return pod;
    }

    @Test
    void aPodGetsTheGpuThatSuitsItBest() throws Exception {
        JsonNode pod = patched(pod("{app.kubernetes.io/job-type: bert}"), CLUSTER);

        assertThat(pod.at("/spec/nodeSelector"))
                .isEqualTo(KubeYaml.object("gpu.nvidia.com/class: L4-24GB"));
        assertThat(pod.at("/spec/priorityClassName").asText()).isEqualTo("gpu-ultra");
        assertThat(pod.at("/spec/tolerations").toString()).contains("nvidia.com/gpu");
        JsonNode annotations = pod.at("/metadata/annotations");
        assertThat(annotations.path("scheduler.radix.ai/chosen-gpu").asText()).isEqualTo("L4-24GB");
        assertThat(annotations.path("scheduler.radix.ai/priority-score").asText())
                .isEqualTo("91.50");
        assertThat(annotations.path("scheduler.radix.ai/decision-timestamp").asText())
                .isEqualTo("2026-01-01T00:00:00Z");
        assertThat(annotations.path("app.kubernetes.io/job-type").asText()).isEqualTo("bert");
    }

    @Test
    void theQuestionHasWhatTheAnnotationsSay() throws Exception {
        scoring(CLUSTER)
                .patch(
                        pod(
                                """
                                app.kubernetes.io/job-type: bert
                                gpu.mem.gi: 24Gi
                                ml.batch_size: "32"
                                scheduler.radix.ai/tenant: team-a
                                """));

        assertThat(scorer.questions)
                .containsExactly(
                        KubeYaml.object(
                                """
                                job_type: bert
                                features: {gpu_mem_gb: 24.0, batch_size: 32.0, tenant: team-a}
                                candidate_gpu_types: [A100-80GB, L4-24GB]
                                colocated_job_types: [bert, gpt]
                                """));
    }

    @Test
    void whatIsNoNumberIsLeftOut() throws Exception {
        scoring(CLUSTER)
                .patch(
                        pod(
                                "{app.kubernetes.io/job-type: bert, gpu.mem.gi: lots,"
                                        + " ml.batch_size: -1}"));

        assertThat(scorer.questions.getFirst().path("features")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "100, gpu-ultra", "90, gpu-ultra", "89.9, gpu-high", "70, gpu-high",
        "69, gpu-medium", "50, gpu-medium", "49.9, gpu-default", "0, gpu-default",
    })
    void thePriorityClassFollowsTheScore(double score, String priorityClass) throws Exception {
        scorer.chooses("L4-24GB", score);

        assertThat(scoring(CLUSTER).patch(pod("{app.kubernetes.io/job-type: bert}")).toString())
                .contains("\"/spec/priorityClassName\",\"value\":\"" + priorityClass + "\"");
    }

    @Test
    void aPriorityThatTheApiServerComputedIsRemovedWithIt() throws Exception {
        ObjectNode pod = pod("{app.kubernetes.io/job-type: bert}");
        ((ObjectNode) pod.get("spec")).put("priority", 0).put("preemptionPolicy", "Never");

        assertThat(scoring(CLUSTER).patch(pod).toString())
                .contains("{\"op\":\"remove\",\"path\":\"/spec/priority\"}")
                .contains("{\"op\":\"remove\",\"path\":\"/spec/preemptionPolicy\"}");
    }

    @Test
    void whatThePodHasStays() throws Exception {
        ObjectNode pod = pod("{app.kubernetes.io/job-type: bert}");
        ((ObjectNode) pod.get("spec"))
                .setAll(
                        KubeYaml.object(
                                """
                                priorityClassName: mine
                                nodeSelector: {disk: ssd}
                                tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
                                """));

        String patch = scoring(CLUSTER).patch(pod).toString();

        assertThat(patch)
                .doesNotContain("priorityClassName")
                .doesNotContain("tolerations")
                .contains("\"/spec/nodeSelector/gpu.nvidia.com~1class\"")
                .doesNotContain("\"/spec/nodeSelector\"");
    }

    @Test
    void aClassThatTheClusterHasNotIsNotGiven() throws Exception {
        var without = new FixedView(List.of("L4-24GB"), List.of(), false);

        assertThat(scoring(without).patch(pod("{app.kubernetes.io/job-type: bert}")).toString())
                .doesNotContain("priorityClassName");
    }

    @Test
    void onNodesThatSayNothingOfTheirGpusTheChoiceIsAPreference() throws Exception {
        JsonNode pod =
                patched(
                        pod("{app.kubernetes.io/job-type: bert}"),
                        new FixedView(List.of(), List.of(), true));

        assertThat(scorer.questions.getFirst().path("candidate_gpu_types").toString())
                .isEqualTo("[\"A100-80GB\",\"A100-40GB\",\"L4-24GB\",\"H100-80GB\"]");
        assertThat(pod.at("/spec/nodeSelector")).isEmpty();
        assertThat(
                        pod.at(
                                "/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/0"))
                .isEqualTo(
                        KubeYaml.object(
                                """
                                weight: 100
                                preference:
                                  matchExpressions: [{key: gpu.nvidia.com/class, operator: In, values: [L4-24GB]}]
                                """));
    }

    @Test
    void badNeighboursAreAvoidedWherePossible() throws Exception {
        scorer.chooses("L4-24GB", 60, "gpt", "not a label!");

        JsonNode pod = patched(pod("{app.kubernetes.io/job-type: bert}"), CLUSTER);

        assertThat(
                        pod.at(
                                "/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution"))
                .containsExactly(
                        KubeYaml.object(
                                """
                                weight: 100
                                podAffinityTerm:
                                  topologyKey: kubernetes.io/hostname
                                  labelSelector: {matchLabels: {app.kubernetes.io/job-type: gpt}}
                                """));
        assertThat(pod.at("/metadata/labels/app.kubernetes.io~1job-type").asText())
                .isEqualTo("bert");
    }

    @Test
    void aPodWithoutTheAnnotationOrWithAChoiceOfItsOwnIsLeftAlone() throws Exception {
        ObjectNode chosen = pod("{app.kubernetes.io/job-type: bert}");
        ((ObjectNode) chosen.get("spec"))
                .set("nodeSelector", KubeYaml.object("gpu.nvidia.com/class: H100"));

        assertThat(scoring(CLUSTER).patch(pod("{}"))).isEmpty();
        assertThat(scoring(CLUSTER).patch(KubeYaml.object("spec: {}"))).isEmpty();
        assertThat(scoring(CLUSTER).patch(chosen)).isEmpty();
        assertThat(scorer.questions).isEmpty();
    }

    @Test
    void anAnswerWithoutAChoiceIsAFailure() {
        scorer.answer = "priority_score: 50";

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> scoring(CLUSTER).patch(pod("{app.kubernetes.io/job-type: bert}")))
                .withMessageContaining("terms.chosen_gpu");
    }
}
