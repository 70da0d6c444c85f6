package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi.Listed;
import io.gpusched.operator.kube.KubeApi.PatchKind;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What the operator relies on for objects of any type.
abstract class ObjectContract extends PodContract {
    private static final int MANY = 1100;

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
    void aNewNodeIsNotReady() {
        ObjectNode created = api.create(ResourceType.NODES, "", TestObjects.named(node));
        assertThat(created.path("spec").path("taints").findValuesAsText("key"))
                .contains("node.kubernetes.io/not-ready");
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
        scale(things);
        finalizers(things);
    }

    private void scale(ResourceType things) {
        String path = things.path(namespace, "t") + "/scale";
        assertThat(api.get(path).path("spec").path("replicas").asInt()).isEqualTo(1);
        assertThat(api.get(path).path("status").path("replicas").asInt()).isEqualTo(4);
        api.patch(
                things,
                namespace,
                "t",
                "scale",
                PatchKind.MERGE,
                TestObjects.tree("{spec: {replicas: 2}}"));
        JsonNode scaled = api.get(things, namespace, "t");
        assertThat(scaled.path("spec").path("size").asInt()).isEqualTo(2);
        assertThat(scaled.path("metadata").path("generation").asInt()).isEqualTo(2);
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
}
