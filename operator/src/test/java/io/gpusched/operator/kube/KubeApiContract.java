package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi.Listed;
import io.gpusched.operator.kube.KubeApi.PatchKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/// What the operator relies on in an API server. It runs against the fake, a real 1.20 and any
/// cluster, so whatever only a fake does has no place here. It leaves nothing behind.
abstract class KubeApiContract {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int UID_AT_BINDING = 21;
    private static final int POLICY_V1 = 21;
    private static final int GATES = 27;
    private static final int MANY = 1100;

    private KubeApi api;
    private int minor;
    private String namespace;
    private String node;

    /// The server under test; the same for all tests of a class.
    abstract KubeApi server();

    /// Makes the server forget what has changed.
    ///
    /// @return false if it cannot be made to
    boolean forgetsHistory() {
        return false;
    }

    @BeforeEach
    void prepare() {
        api = server();
        minor = Integer.parseInt(api.get("/version").path("minor").asText().replaceAll("\\D", ""));
        namespace = "contract-" + UUID.randomUUID().toString().substring(0, 8);
        node = namespace + "-node";
        api.create(ResourceType.NAMESPACES, "", TestObjects.named(namespace));
    }

    @AfterEach
    void cleanUp() {
        for (ObjectNode pod : api.list(ResourceType.PODS, ListQuery.in(namespace)).items()) {
            remove(ResourceType.PODS, namespace, TestObjects.name(pod));
        }
        remove(ResourceType.NODES, "", node);
        remove(ResourceType.NAMESPACES, "", namespace);
    }

    private void remove(ResourceType type, String in, String name) {
        try {
            api.delete(type, in, name, DeleteOptions.only("").grace(0));
        } catch (KubeException e) {
            assertThat(e.isNotFound() || e.isConflict()).as(e.getMessage()).isTrue();
        }
    }

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
    void deletionMayBeForOneObjectOnly() {
        ObjectNode pod = pod("p");
        KubeException wrong =
                refusal(
                        () ->
                                api.delete(
                                        ResourceType.PODS,
                                        namespace,
                                        "p",
                                        DeleteOptions.only("x")));
        assertThat(wrong.isConflict()).isTrue();
        String uid = pod.path("metadata").path("uid").asText();
        api.delete(ResourceType.PODS, namespace, "p", DeleteOptions.only(uid).grace(0));
        assertThat(refusal(() -> read("p")).isNotFound()).isTrue();
    }

    @Test
    void evictionRespectsABudget() {
        pod("p");
        bind("p", TestObjects.binding("p", node));
        patchStatus("p", "{status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}");
        ResourceType budgets = budgets();
        ObjectNode budget =
                api.create(
                        budgets,
                        namespace,
                        TestObjects.tree(
                                "{metadata: {name: b}, spec: {minAvailable: 1, selector:"
                                        + " {matchLabels: {app: t}}}}"));
        allow(budgets, budget, 0);
        KubeException refused = refusal(() -> evict("p"));
        assertThat(refused.isTooManyRequests()).isTrue();
        assertThat(read("p").path("metadata").has("deletionTimestamp")).isFalse();
        allow(budgets, budget, 1);
        evict("p");
        assertThat(read("p").path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(refusal(() -> evict("gone")).isNotFound()).isTrue();
    }

    private ResourceType budgets() {
        String version = minor >= POLICY_V1 ? "v1" : "v1beta1";
        return new ResourceType(
                "policy", version, "poddisruptionbudgets", "PodDisruptionBudget", true);
    }

    /// As the controller does, if one runs; so it is done until it is as wanted.
    private void allow(ResourceType budgets, ObjectNode budget, int count) {
        await(
                () -> {
                    api.patch(
                            budgets,
                            namespace,
                            "b",
                            "status",
                            PatchKind.MERGE,
                            TestObjects.tree(
                                    "{status: {observedGeneration: %d, disruptionsAllowed: %d, currentHealthy: 1, desiredHealthy: %d, expectedPods: 1}}"
                                            .formatted(
                                                    budget.path("metadata")
                                                            .path("generation")
                                                            .asInt(),
                                                    count,
                                                    1 - count)));
                    return api.get(budgets, namespace, "b")
                                    .path("status")
                                    .path("disruptionsAllowed")
                                    .asInt()
                            == count;
                });
    }

    private void evict(String pod) {
        ObjectNode eviction = TestObjects.named(pod);
        eviction.put("apiVersion", "policy/" + budgets().version()).put("kind", "Eviction");
        api.post(ResourceType.PODS, namespace, pod, "eviction", eviction);
    }

    @Test
    void aStaleReplacementIsRefused() {
        ObjectNode lease = lease();
        ObjectNode first = api.create(ResourceType.LEASES, namespace, lease);
        ObjectNode second = first.deepCopy();
        ((ObjectNode) second.path("spec")).put("holderIdentity", "b");
        ObjectNode replaced = api.replace(ResourceType.LEASES, namespace, "l", second);
        assertThat(replaced.path("spec").path("holderIdentity").asText()).isEqualTo("b");
        KubeException stale =
                refusal(() -> api.replace(ResourceType.LEASES, namespace, "l", first));
        assertThat(stale.isConflict()).isTrue();
        assertThat(refusal(() -> api.create(ResourceType.LEASES, namespace, lease)).isConflict())
                .isTrue();
        remove(ResourceType.LEASES, namespace, "l");
    }

    private static ObjectNode lease() {
        return TestObjects.tree(
                "{metadata: {name: l}, spec: {holderIdentity: a, leaseDurationSeconds: 15,"
                        + " renewTime: '2026-01-01T00:00:00.000001Z'}}");
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
    void aNewNodeIsNotReady() {
        ObjectNode created = api.create(ResourceType.NODES, "", TestObjects.named(node));
        assertThat(created.path("spec").path("taints").findValuesAsText("key"))
                .contains("node.kubernetes.io/not-ready");
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
    void applyingRemovesWhatIsAppliedNoMore() {
        api.create(ResourceType.NODES, "", TestObjects.named(node));
        apply("{metadata: {labels: {a: '1', b: '2'}}}");
        apply("{metadata: {labels: {a: '3'}}}");
        JsonNode labels = api.get(ResourceType.NODES, "", node).path("metadata").path("labels");
        assertThat(labels.path("a").asText()).isEqualTo("3");
        assertThat(labels.has("b")).isFalse();
    }

    private void apply(String fields) {
        ObjectNode object = TestObjects.tree(fields);
        object.put("apiVersion", "v1").put("kind", "Node");
        ((ObjectNode) object.path("metadata")).put("name", node);
        api.patch(ResourceType.NODES, "", node, "", PatchKind.APPLY, object);
    }

    @Test
    void longListsComeWhole() {
        for (int i = 0; i < MANY; i++) {
            api.create(ConfigMaps.TYPE, namespace, TestObjects.named("c-" + i));
        }
        Set<String> names = new TreeSet<>();
        Listed listed = api.list(ConfigMaps.TYPE, ListQuery.in(namespace));
        listed.items().forEach(each -> names.add(TestObjects.name(each)));
        names.removeIf(each -> !each.startsWith("c-"));
        assertThat(names).hasSize(MANY);
        assertThat(listed.resourceVersion()).isNotEmpty();
        assertThat(listed.items().getFirst().path("kind").asText()).isEqualTo("ConfigMap");
        for (String name : names) {
            api.delete(ConfigMaps.TYPE, namespace, name, DeleteOptions.only(""));
        }
    }

    @Test
    void selectorsNarrowAList() {
        pod("p");
        pod("q");
        bind("q", TestObjects.binding("q", node));
        ListQuery waiting =
                ListQuery.in(namespace).where("spec.schedulerName=contract,spec.nodeName=");
        assertThat(names(waiting)).containsExactly("p");
        assertThat(names(ListQuery.in(namespace).labelled("app in (t, u)")))
                .containsExactly("p", "q");
        assertThat(names(ListQuery.in(namespace).labelled("app!=t"))).isEmpty();
        assertThat(refusal(() -> names(ListQuery.in(namespace).where("spec.x=y"))).code())
                .isEqualTo(400);
    }

    private List<String> names(ListQuery query) {
        return api.list(ResourceType.PODS, query).items().stream().map(TestObjects::name).toList();
    }

    @Test
    void aWatchContinuesAList() {
        pod("p");
        String from = api.list(ResourceType.PODS, ListQuery.in(namespace)).resourceVersion();
        pod("q");
        bind("q", TestObjects.binding("q", node));
        api.delete(ResourceType.PODS, namespace, "q", DeleteOptions.only("").grace(0));
        var seen = new ArrayList<String>();
        api.watch(
                ResourceType.PODS,
                ListQuery.in(namespace).where("spec.schedulerName=contract"),
                from,
                (type, object) -> {
                    if (!type.equals("BOOKMARK")) {
                        seen.add(type + " " + TestObjects.name(object));
                    }
                    return !type.equals("DELETED");
                });
        assertThat(new TreeSet<>(seen)).containsExactly("ADDED q", "DELETED q", "MODIFIED q");
    }

    @Test
    void anObjectThatNoLongerMatchesLooksDeleted() {
        pod("p");
        String from = api.list(ResourceType.PODS, ListQuery.in(namespace)).resourceVersion();
        bind("p", TestObjects.binding("p", node));
        var seen = new ArrayList<String>();
        api.watch(
                ResourceType.PODS,
                ListQuery.in(namespace).where("spec.nodeName="),
                from,
                (type, object) -> {
                    seen.add(type + " " + TestObjects.name(object));
                    return false;
                });
        assertThat(seen).containsExactly("DELETED p");
    }

    @Test
    void aWatchThatCannotBeResumedIsGone() {
        String from = api.list(ResourceType.PODS, ListQuery.in(namespace)).resourceVersion();
        pod("p");
        pod("q");
        if (forgetsHistory()) {
            KubeException gone =
                    refusal(
                            () ->
                                    api.watch(
                                            ResourceType.PODS,
                                            ListQuery.in(namespace),
                                            from,
                                            (_, _) -> false));
            assertThat(gone.isGone()).as(gone.getMessage()).isTrue();
        }
    }

    @Test
    void aCustomTypeIsEstablishedAndItsSchemaHolds() {
        String group = namespace + ".example.com";
        ResourceType definitions =
                new ResourceType(
                        "apiextensions.k8s.io",
                        "v1",
                        "customresourcedefinitions",
                        "CustomResourceDefinition",
                        false);
        api.create(
                definitions, "", TestObjects.tree(TestObjects.DEFINITION.replace("GROUP", group)));
        try {
            var things = new ResourceType(group, "v1", "things", "Thing", true);
            await(
                    () ->
                            condition(api.get(definitions, "", "things." + group), "Established")
                                            .equals("True")
                                    && isServed(things));
            customObjects(things);
        } finally {
            api.delete(definitions, "", "things." + group, DeleteOptions.only(""));
        }
    }

    private boolean isServed(ResourceType type) {
        try {
            api.list(type, ListQuery.in(namespace));
            return true;
        } catch (KubeException e) {
            return false;
        }
    }

    private void customObjects(ResourceType things) {
        ObjectNode good =
                api.create(
                        things,
                        namespace,
                        thing(
                                things,
                                "{metadata: {name: t}, spec: {size: 1, more: x}, status: {seen:"
                                        + " 3}}"));
        assertThat(good.path("spec").path("color").asText()).isEqualTo("red");
        assertThat(good.path("spec").has("more")).isFalse();
        assertThat(good.has("status")).isFalse();
        assertThat(good.path("metadata").path("generation").asInt()).isEqualTo(1);
        KubeException wrong =
                refusal(
                        () ->
                                api.create(
                                        things,
                                        namespace,
                                        thing(things, "{metadata: {name: u}, spec: {size: 9}}")));
        assertThat(wrong.code()).isEqualTo(422);
        assertThat(wrong).hasMessageContaining("spec.size");
        api.patch(
                things,
                namespace,
                "t",
                "status",
                PatchKind.MERGE,
                TestObjects.tree("{status: {seen: 4}, spec: {size: 2}}"));
        ObjectNode read = api.get(things, namespace, "t");
        assertThat(read.path("status").path("seen").asInt()).isEqualTo(4);
        assertThat(read.path("spec").path("size").asInt()).isEqualTo(1);
        assertThat(read.path("metadata").path("generation").asInt()).isEqualTo(1);
        finalizers(things);
    }

    private void finalizers(ResourceType things) {
        api.patch(
                things,
                namespace,
                "t",
                "",
                PatchKind.MERGE,
                TestObjects.tree("{metadata: {finalizers: [example.com/t]}}"));
        api.delete(things, namespace, "t", DeleteOptions.only(""));
        assertThat(api.get(things, namespace, "t").path("metadata").has("deletionTimestamp"))
                .isTrue();
        api.patch(
                things,
                namespace,
                "t",
                "",
                PatchKind.JSON,
                TestObjects.list("[{op: remove, path: /metadata/finalizers}]"));
        assertThat(refusal(() -> api.get(things, namespace, "t")).isNotFound()).isTrue();
    }

    private static ObjectNode thing(ResourceType type, String text) {
        ObjectNode object = TestObjects.tree(text);
        return object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
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

    private ObjectNode pod(String name) {
        return api.create(ResourceType.PODS, namespace, TestObjects.pod(name));
    }

    private ObjectNode read(String name) {
        return api.get(ResourceType.PODS, namespace, name);
    }

    private void bind(String pod, ObjectNode binding) {
        api.post(ResourceType.PODS, namespace, pod, "binding", binding);
    }

    private void patchStatus(String pod, String status) {
        api.patch(
                ResourceType.PODS,
                namespace,
                pod,
                "status",
                PatchKind.STRATEGIC,
                TestObjects.tree(status));
    }

    private static String condition(JsonNode object, String type) {
        for (JsonNode each : object.path("status").path("conditions")) {
            if (each.path("type").asText().equals(type)) {
                return each.path("status").asText();
            }
        }
        return "";
    }

    private static KubeException refusal(Runnable call) {
        KubeException refusal = catchThrowableOfType(KubeException.class, call::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    /// Asks again until it is so, without a pause: every question takes its time.
    private static void await(BooleanSupplier isSo) {
        Instant end = Instant.now().plus(PATIENCE);
        while (!isSo.getAsBoolean()) {
            assertThat(Instant.now()).as("patience").isBefore(end);
        }
    }
}
