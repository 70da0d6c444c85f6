package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi.PatchKind;

import org.junit.jupiter.api.Test;

/// What the operator relies on for pods.
abstract class PodContract extends ContractFixture {
    private static final int UID_AT_BINDING = 21;
    private static final int POLICY_V1 = 21;
    private static final int GATES = 27;

    @Test
    void aPodIsBoundOnce() {
        ObjectNode pod = pod("p");
        bind("p", TestObjects.binding("p", node));
        assertThat(read("p").path("spec").path("nodeName").asText()).isEqualTo(node);
        assertThat(condition(read("p"), "PodScheduled")).isEqualTo("True");
        KubeException second = refusal(() -> bind("p", TestObjects.binding("p", node + "-2")));
        assertThat(second.isConflict()).isTrue();
        assertThat(read("p").path("metadata").path("uid"))
                .isEqualTo(pod.path("metadata").path("uid"));
        assertThat(read("p").path("spec").path("nodeName").asText()).isEqualTo(node);
    }

    @Test
    void annotationsOfABindingLandOnThePod() {
        pod("p");
        bind(
                "p",
                TestObjects.annotated(TestObjects.binding("p", node), "gpu-scheduler.io/job", "7"));
        assertThat(
                        read("p")
                                .path("metadata")
                                .path("annotations")
                                .path("gpu-scheduler.io/job")
                                .asText())
                .isEqualTo("7");
    }

    @Test
    void aBindingMayBeTriedWithoutEffect() {
        pod("p");
        api.post(
                ResourceType.PODS,
                namespace,
                "p",
                "binding?dryRun=All",
                TestObjects.annotated(TestObjects.binding("p", node), "a", "b"));
        assertThat(read("p").path("spec").has("nodeName")).isFalse();
        assertThat(read("p").path("metadata").path("annotations").has("a")).isFalse();
        bind("p", TestObjects.binding("p", node));
        KubeException tried =
                refusal(
                        () ->
                                api.post(
                                        ResourceType.PODS,
                                        namespace,
                                        "p",
                                        "binding?dryRun=All",
                                        TestObjects.binding("p", node)));
        assertThat(tried.isConflict()).isTrue();
    }

    @Test
    void aBindingIsForOnePodOnly() {
        pod("p");
        ObjectNode binding = TestObjects.binding("p", node);
        ((ObjectNode) binding.path("metadata")).put("uid", "00000000-0000-0000-0000-000000000000");
        if (minor >= UID_AT_BINDING) {
            assertThat(refusal(() -> bind("p", binding)).isConflict()).isTrue();
            assertThat(read("p").path("spec").has("nodeName")).isFalse();
        }
        ((ObjectNode) binding.path("metadata")).set("uid", read("p").path("metadata").path("uid"));
        bind("p", binding);
        assertThat(read("p").path("spec").path("nodeName").asText()).isEqualTo(node);
    }

    @Test
    void aPodThatEndsOrIsGoneCannotBeBound() {
        pod("p");
        bind("p", TestObjects.binding("p", node));
        api.delete(ResourceType.PODS, namespace, "p", DeleteOptions.only("").grace(600));
        assertThat(read("p").path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(refusal(() -> bind("p", TestObjects.binding("p", node))).isConflict()).isTrue();
        assertThat(refusal(() -> bind("q", TestObjects.binding("q", node))).isNotFound()).isTrue();
    }

    @Test
    void aGatedPodCannotBeBound() {
        if (minor < GATES) {
            return;
        }
        ObjectNode gated = TestObjects.pod("p");
        ((ObjectNode) gated.path("spec"))
                .putArray("schedulingGates")
                .addObject()
                .put("name", "t/g");
        api.create(ResourceType.PODS, namespace, gated);
        assertThat(refusal(() -> bind("p", TestObjects.binding("p", node))).isConflict()).isTrue();
        api.patch(
                ResourceType.PODS,
                namespace,
                "p",
                "",
                PatchKind.JSON,
                TestObjects.list("[{op: remove, path: /spec/schedulingGates}]"));
        bind("p", TestObjects.binding("p", node));
        assertThat(read("p").path("spec").path("nodeName").asText()).isEqualTo(node);
    }

    @Test
    void aPodThatWasNotBoundIsDeletedAtOnce() {
        pod("p");
        api.delete(ResourceType.PODS, namespace, "p", DeleteOptions.only(""));
        assertThat(refusal(() -> read("p")).isNotFound()).isTrue();
    }

    @Test
    void evictionRespectsABudget() {
        pod("p");
        bind("p", TestObjects.binding("p", node));
        patchStatus("p", "{status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}");
        ResourceType budgets = budgets();
        api.create(
                budgets,
                namespace,
                TestObjects.tree(
                        "{metadata: {name: b}, spec: {minAvailable: 1, selector:"
                                + " {matchLabels: {app: t}}}}"));
        allow(budgets, 0);
        KubeException refused = refusal(() -> evict("p"));
        assertThat(refused.isTooManyRequests()).isTrue();
        assertThat(read("p").path("metadata").has("deletionTimestamp")).isFalse();
        allow(budgets, 1);
        evict("p");
        assertThat(read("p").path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(refusal(() -> evict("gone")).isNotFound()).isTrue();
    }

    private ResourceType budgets() {
        String version = minor >= POLICY_V1 ? "v1" : "v1beta1";
        return new ResourceType(
                "policy", version, "poddisruptionbudgets", "PodDisruptionBudget", true);
    }

    /// Does what the controller of budgets does, which does not run everywhere.
    private void allow(ResourceType budgets, int count) {
        ObjectNode spec = TestObjects.tree("{spec: {minAvailable: " + (1 - count) + "}}");
        ObjectNode budget = api.patch(budgets, namespace, "b", "", PatchKind.MERGE, spec);
        String status =
                "{status: {observedGeneration: %d, disruptionsAllowed: %d, currentHealthy: 1, desiredHealthy: %d, expectedPods: 1}}"
                        .formatted(
                                budget.path("metadata").path("generation").asInt(),
                                count,
                                1 - count);
        api.patch(budgets, namespace, "b", "status", PatchKind.MERGE, TestObjects.tree(status));
        await(
                () ->
                        api.get(budgets, namespace, "b")
                                        .path("status")
                                        .path("disruptionsAllowed")
                                        .asInt()
                                == count);
    }

    private void evict(String pod) {
        ObjectNode eviction = TestObjects.named(pod);
        eviction.put("apiVersion", "policy/" + budgets().version()).put("kind", "Eviction");
        api.post(ResourceType.PODS, namespace, pod, "eviction", eviction);
    }

    @Test
    void whatIsNoPodIsRefused() {
        ObjectNode nameless = TestObjects.pod("p");
        ((ObjectNode) nameless.path("spec").path("containers").path(0)).remove("name");
        assertThat(refusal(() -> api.create(ResourceType.PODS, namespace, nameless)).code())
                .isEqualTo(422);
        ObjectNode undecodable = TestObjects.pod("p");
        ((ObjectNode) undecodable.path("spec")).put("containers", "none");
        assertThat(refusal(() -> api.create(ResourceType.PODS, namespace, undecodable)).code())
                .isEqualTo(400);
        assertThat(
                        refusal(
                                        () ->
                                                api.create(
                                                        ResourceType.PODS,
                                                        "no-" + namespace,
                                                        TestObjects.pod("p")))
                                .isNotFound())
                .isTrue();
        pod("p");
        KubeException moved =
                refusal(
                        () ->
                                api.patch(
                                        ResourceType.PODS,
                                        namespace,
                                        "p",
                                        "",
                                        PatchKind.MERGE,
                                        TestObjects.tree("{spec: {schedulerName: other}}")));
        assertThat(moved.code()).isEqualTo(422);
    }

    @Test
    void statusIsWrittenBySubResource() {
        pod("p");
        patchStatus(
                "p",
                "{status: {conditions: [{type: PodScheduled, status: 'False', reason:"
                        + " Unschedulable, message: m}]}}");
        assertThat(condition(read("p"), "PodScheduled")).isEqualTo("False");
        api.patch(
                ResourceType.PODS,
                namespace,
                "p",
                "",
                PatchKind.MERGE,
                TestObjects.tree("{metadata: {labels: {x: y}}, status: {phase: Failed}}"));
        assertThat(read("p").path("status").path("phase").asText()).isEqualTo("Pending");
        assertThat(read("p").path("metadata").path("labels").path("x").asText()).isEqualTo("y");
    }

    @Test
    void aPodTakesThePriorityOfItsClass() {
        ObjectNode urgent = TestObjects.pod("p");
        ((ObjectNode) urgent.path("spec")).put("priorityClassName", namespace);
        assertThat(refusal(() -> api.create(ResourceType.PODS, namespace, urgent)).isForbidden())
                .isTrue();
        api.create(
                ResourceType.PRIORITY_CLASSES, "", TestObjects.named(namespace).put("value", 1234));
        try {
            await(() -> isCreated(urgent));
            assertThat(read("p").path("spec").path("priority").asInt()).isEqualTo(1234);
        } finally {
            remove(ResourceType.PRIORITY_CLASSES, "", namespace);
        }
    }

    /// The server may learn of a new class a moment later.
    private boolean isCreated(ObjectNode pod) {
        try {
            api.create(ResourceType.PODS, namespace, pod);
            return true;
        } catch (KubeException e) {
            assertThat(e.isForbidden()).isTrue();
            return false;
        }
    }
}
