package io.gpusched.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/// What the operator keeps of a pod. Most of a pod is of no use here, such as environments, probes
/// and managed fields, and ten thousands of whole pods would need gigabytes. A pod of another
/// scheduler, or one that is bound, needs even less than one that waits for us.
final class PodSlice {
    private static final List<String> METADATA =
            List.of("namespace", "name", "uid", "creationTimestamp", "deletionTimestamp");
    private static final List<String> ALWAYS =
            List.of("nodeName", "schedulerName", "overhead", "resources");
    private static final List<String> WAITING =
            List.of(
                    "priority",
                    "preemptionPolicy",
                    "terminationGracePeriodSeconds",
                    "schedulingGates",
                    "nodeSelector",
                    "affinity",
                    "tolerations",
                    "topologySpreadConstraints",
                    "resourceClaims",
                    "volumes",
                    "workloadRef",
                    "schedulingGroup");
    private static final List<String> CONTAINER = List.of("name", "resources", "restartPolicy");
    private static final List<String> STATUS = List.of("phase", "reason", "message");
    private static final List<String> CONTAINER_STATUS = List.of("name", "resources", "state");

    private final String schedulerName;

    PodSlice(String schedulerName) {
        this.schedulerName = schedulerName;
    }

    ObjectNode of(ObjectNode pod) {
        boolean ours = pod.path("spec").path("schedulerName").asText("").equals(schedulerName);
        boolean bound = !pod.path("spec").path("nodeName").asText("").isEmpty();
        ObjectNode slice = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = copy(pod.path("metadata"), METADATA, slice.putObject("metadata"));
        if (ours) {
            copy(pod.path("metadata"), List.of("labels", "annotations"), metadata);
            drop(metadata, "kubectl.kubernetes.io/last-applied-configuration");
        }
        JsonNode spec = pod.path("spec");
        ObjectNode kept = copy(spec, ALWAYS, slice.putObject("spec"));
        if (ours && !bound) {
            copy(spec, WAITING, kept);
        } else if (ours) {
            copy(spec, List.of("workloadRef", "schedulingGroup"), kept);
        }
        each(spec, "containers", CONTAINER, kept);
        each(spec, "initContainers", CONTAINER, kept);
        JsonNode status = pod.path("status");
        ObjectNode seen = copy(status, STATUS, slice.putObject("status"));
        each(status, "containerStatuses", CONTAINER_STATUS, seen);
        scheduled(status, seen);
        return slice;
    }

    private static void each(JsonNode from, String field, List<String> fields, ObjectNode to) {
        if (from.path(field).isArray()) {
            ArrayNode list = to.putArray(field);
            from.path(field).forEach(one -> copy(one, fields, list.addObject()));
        }
    }

    private static void scheduled(JsonNode status, ObjectNode seen) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText("").equals("PodScheduled")) {
                seen.putArray("conditions").add(condition);
            }
        }
    }

    private static void drop(ObjectNode metadata, String annotation) {
        if (metadata.get("annotations") instanceof ObjectNode annotations
                && annotations.has(annotation)) {
            metadata.set("annotations", annotations.deepCopy().without(annotation));
        }
    }

    private static ObjectNode copy(JsonNode from, List<String> fields, ObjectNode to) {
        for (String field : fields) {
            if (from.has(field)) {
                to.set(field, from.get(field));
            }
        }
        return to;
    }
}
