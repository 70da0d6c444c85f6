package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.ResourceType;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The types that the server has: those of Kubernetes that matter here, and custom ones.
final class ServedTypes {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int FIRST_WITH_POLICY_V1 = 21;

    private final Map<String, ServedType> types = new ConcurrentHashMap<>();

    ServedTypes(int minor) {
        for (String line : BUILT_IN.strip().split("\n")) {
            String[] words = line.strip().split(" +");
            boolean isCore = words[0].startsWith("v");
            String group = isCore ? "" : words[0].split("/")[0];
            String version = isCore ? words[0] : words[0].split("/")[1];
            String properties = words.length > 3 ? words[3] : "";
            var type =
                    new ResourceType(
                            group, version, words[1], words[2], !properties.contains("cluster"));
            if (minor < FIRST_WITH_POLICY_V1 && words[0].equals("policy/v1")) {
                continue;
            }
            var served = ServedType.builtIn(type, properties.contains("status"));
            add(properties.contains("scale") ? served.scaled(replicas()) : served);
        }
    }

    private static final String BUILT_IN =
            """
            v1 namespaces Namespace cluster,status
            v1 nodes Node cluster,status
            v1 pods Pod status
            v1 events Event
            v1 services Service status
            v1 endpoints Endpoints
            v1 secrets Secret
            v1 configmaps ConfigMap
            v1 serviceaccounts ServiceAccount
            v1 resourcequotas ResourceQuota status
            v1 limitranges LimitRange
            v1 persistentvolumeclaims PersistentVolumeClaim status
            v1 persistentvolumes PersistentVolume cluster,status
            storage.k8s.io/v1 storageclasses StorageClass cluster
            storage.k8s.io/v1 csinodes CSINode cluster
            storage.k8s.io/v1 csidrivers CSIDriver cluster
            scheduling.k8s.io/v1 priorityclasses PriorityClass cluster
            coordination.k8s.io/v1 leases Lease
            policy/v1 poddisruptionbudgets PodDisruptionBudget status
            policy/v1beta1 poddisruptionbudgets PodDisruptionBudget status
            batch/v1 jobs Job status
            apps/v1 deployments Deployment status,scale
            apps/v1 statefulsets StatefulSet status,scale
            apps/v1 replicasets ReplicaSet status,scale
            apps/v1 daemonsets DaemonSet status
            autoscaling/v2 horizontalpodautoscalers HorizontalPodAutoscaler status
            networking.k8s.io/v1 ingresses Ingress status
            networking.k8s.io/v1 networkpolicies NetworkPolicy
            resource.k8s.io/v1 resourceclaims ResourceClaim status
            rbac.authorization.k8s.io/v1 clusterroles ClusterRole cluster
            rbac.authorization.k8s.io/v1 clusterrolebindings ClusterRoleBinding cluster
            rbac.authorization.k8s.io/v1 roles Role
            rbac.authorization.k8s.io/v1 rolebindings RoleBinding
            admissionregistration.k8s.io/v1 mutatingwebhookconfigurations MutatingWebhookConfiguration cluster
            apiextensions.k8s.io/v1 customresourcedefinitions CustomResourceDefinition cluster,status
            """;

    private static JsonNode replicas() {
        return NODES.objectNode()
                .put("specReplicasPath", ".spec.replicas")
                .put("statusReplicasPath", ".status.replicas");
    }

    private void add(ServedType type) {
        types.put(type.type().apiVersion() + "/" + type.type().plural(), type);
    }

    @Nullable ServedType find(String apiVersion, String plural) {
        return types.get(apiVersion + "/" + plural);
    }

    /// Serves the versions of a CustomResourceDefinition.
    void define(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        forget(definition);
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                var type =
                        new ResourceType(
                                spec.path("group").asText(),
                                version.path("name").asText(),
                                spec.path("names").path("plural").asText(),
                                spec.path("names").path("kind").asText(),
                                spec.path("scope").asText().equals("Namespaced"));
                JsonNode subs = version.path("subresources");
                add(
                        new ServedType(
                                type,
                                subs.has("status"),
                                subs.path("scale"),
                                version.path("schema").path("openAPIV3Schema")));
            }
        }
    }

    void forget(JsonNode definition) {
        String group = definition.path("spec").path("group").asText();
        String plural = definition.path("spec").path("names").path("plural").asText();
        types.values()
                .removeIf(each -> each.isCustom() && each.storage().equals(group + "/" + plural));
    }

    boolean hasVersion(String apiVersion) {
        return types.values().stream()
                .anyMatch(each -> each.type().apiVersion().equals(apiVersion));
    }

    /// What `/apis` says.
    ObjectNode groups() {
        var versions = new LinkedHashMap<String, Set<String>>();
        types.values().stream()
                .map(ServedType::type)
                .filter(each -> !each.group().isEmpty())
                .sorted(java.util.Comparator.comparing(ResourceType::apiVersion))
                .forEach(
                        each ->
                                versions.computeIfAbsent(
                                                each.group(), _ -> new java.util.TreeSet<>())
                                        .add(each.version()));
        ObjectNode list = NODES.objectNode().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        versions.forEach(
                (name, each) -> {
                    ObjectNode group = groups.addObject().put("name", name);
                    ArrayNode shown = group.putArray("versions");
                    for (String version : each) {
                        shown.addObject()
                                .put("groupVersion", name + "/" + version)
                                .put("version", version);
                    }
                    group.set("preferredVersion", shown.get(0).deepCopy());
                });
        return list;
    }

    /// What `/apis/GROUP/VERSION` says.
    ObjectNode resources(String apiVersion) {
        ObjectNode list = NODES.objectNode().put("kind", "APIResourceList").put("apiVersion", "v1");
        ArrayNode resources = list.put("groupVersion", apiVersion).putArray("resources");
        types.values().stream()
                .filter(each -> each.type().apiVersion().equals(apiVersion))
                .forEach(
                        each -> {
                            describe(resources, each, "");
                            if (each.hasStatus()) {
                                describe(resources, each, "/status");
                            }
                            if (!each.scale().isMissingNode()) {
                                describe(resources, each, "/scale");
                            }
                        });
        return list;
    }

    private static void describe(ArrayNode resources, ServedType each, String sub) {
        ArrayNode verbs =
                resources
                        .addObject()
                        .put("name", each.type().plural() + sub)
                        .put("namespaced", each.type().namespaced())
                        .put("kind", each.type().kind())
                        .putArray("verbs");
        verbs.add("get").add("patch").add("update");
        if (sub.isEmpty()) {
            verbs.add("create").add("delete").add("list").add("watch");
        }
    }
}
