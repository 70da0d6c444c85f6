package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.kube.ResourceType;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Finds the group of a pod by the labels, annotations and fields that people already use. Our own
/// label comes first:
///
///     gpu-scheduler.io/group: train, gpu-scheduler.io/group-size: "4"
///     scheduling.x-k8s.io/pod-group, pod-group.scheduling.sigs.k8s.io    scheduler plugins
///     scheduling.k8s.io/group-name                                       Volcano
///     pod-group-name                                                     KAI
///     spec.workloadRef, spec.schedulingGroup                             Kubernetes 1.35, 1.36
final class GroupReader {
    static final String GROUP = "gpu-scheduler.io/group";
    static final String SIZE = "gpu-scheduler.io/group-size";

    private static final String LIGHTWEIGHT = "pod-group.scheduling.sigs.k8s.io";
    private static final int MOST = 8_192;

    private final ClusterObjects objects;

    GroupReader(ClusterObjects objects) {
        this.objects = objects;
    }

    /// The group of a pod; null for a pod of no group.
    @Nullable GroupRef read(JsonNode pod) {
        String namespace = pod.path("metadata").path("namespace").asText();
        String own = marked(pod, GROUP);
        if (!own.isEmpty()) {
            return sized(namespace, own, SIZE, marked(pod, SIZE), true);
        }
        String lightweight = marked(pod, LIGHTWEIGHT + "/name");
        if (!lightweight.isEmpty()) {
            String key = LIGHTWEIGHT + "/min-available";
            return sized(namespace, lightweight, key, marked(pod, key), false);
        }
        for (var one : List.of("scheduling.x-k8s.io/pod-group", LIGHTWEIGHT)) {
            String name = marked(pod, one);
            if (!name.isEmpty()) {
                return defined(
                        namespace,
                        name,
                        "minMember",
                        GroupTypes.COSCHEDULING,
                        GroupTypes.COSCHEDULING_BEFORE);
            }
        }
        for (var one :
                List.of("scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name")) {
            String name = marked(pod, one);
            if (!name.isEmpty()) {
                return defined(namespace, name, "minMember", GroupTypes.VOLCANO);
            }
        }
        String kai = marked(pod, "pod-group-name");
        if (!kai.isEmpty()) {
            return defined(namespace, kai, "minMember", GroupTypes.KAI);
        }
        return upstream(namespace, pod.path("spec"));
    }

    private @Nullable GroupRef upstream(String namespace, JsonNode spec) {
        String group = spec.path("schedulingGroup").path("podGroupName").asText("");
        if (!group.isEmpty()) {
            return defined(
                    namespace, group, "minCount", GroupTypes.UPSTREAM_BETA, GroupTypes.UPSTREAM);
        }
        JsonNode reference = spec.path("workloadRef");
        String workload = reference.path("name").asText("");
        if (workload.isEmpty()) {
            return null;
        }
        String part = reference.path("podGroup").asText("");
        String replica = reference.path("podGroupReplicaKey").asText("");
        String name = String.join("/", workload, part, replica);
        JsonNode found = objects.find(GroupTypes.WORKLOAD, namespace, workload);
        if (found.isMissingNode()) {
            return missing(namespace, name, "Workload " + workload);
        }
        for (JsonNode each : found.path("spec").path("podGroups")) {
            if (each.path("name").asText().equals(part)) {
                return minimum(namespace, name, each, "minCount");
            }
        }
        return GroupRef.broken(
                namespace, name, "Workload %s has no pod group \"%s\"".formatted(workload, part));
    }

    private GroupRef defined(String namespace, String name, String field, ResourceType... types) {
        for (ResourceType type : types) {
            JsonNode found = objects.find(type, namespace, name);
            if (!found.isMissingNode()) {
                return minimum(namespace, name, found.path("spec"), field);
            }
        }
        return missing(namespace, name, "PodGroup " + name);
    }

    private static GroupRef missing(String namespace, String name, String what) {
        return GroupRef.broken(
                namespace,
                name,
                "%s does not exist in namespace %s; create it, or label the pods %s and %s"
                        .formatted(what, namespace, GROUP, SIZE));
    }

    /// A group that names no minimum starts pod by pod, as its own scheduler does.
    private static GroupRef minimum(String namespace, String name, JsonNode spec, String field) {
        JsonNode found = spec.findPath(field);
        if (found.isMissingNode()) {
            return GroupRef.of(namespace, name, 1);
        }
        if (!found.canConvertToInt() || found.asInt() < 0 || found.asInt() > MOST) {
            return GroupRef.broken(
                    namespace,
                    name,
                    "%s of group %s must be 1 to %d, found %s".formatted(field, name, MOST, found));
        }
        return GroupRef.of(namespace, name, Math.max(1, found.asInt()));
    }

    private static GroupRef sized(
            String namespace, String name, String key, String size, boolean exact) {
        try {
            int minimum = Integer.parseInt(size);
            if (minimum >= 1 && minimum <= MOST) {
                return new GroupRef(namespace, name, minimum, exact, "");
            }
        } catch (NumberFormatException e) {
            // The text below says what was expected.
        }
        return GroupRef.broken(
                namespace,
                name,
                size.isEmpty()
                        ? "the pod is of group %s but has no label %s; set it to the number of pods"
                                .formatted(name, key)
                        : "%s must be a number from 1 to %d, found \"%s\""
                                .formatted(key, MOST, size));
    }

    /// Labels cannot hold every value, so annotations count too.
    private static String marked(JsonNode pod, String key) {
        JsonNode metadata = pod.path("metadata");
        String label = metadata.path("labels").path(key).asText("");
        return label.isEmpty() ? metadata.path("annotations").path(key).asText("") : label;
    }
}
