package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.ObjectReference;
import io.gpusched.operator.kube.ResourceType;

/// The newest known state of one workload.
///
/// @param object not to be changed
record Workload(WorkloadKind kind, ResourceType type, ObjectNode object) {
    /// On a workload or its namespace: whether we admit it.
    static final String ADMIT = "gpu-scheduler.io/admit";

    private static final String PODS_OF = "gpu-scheduler.io/workload";

    String uid() {
        return object.path("metadata").path("uid").asText();
    }

    String namespace() {
        return object.path("metadata").path("namespace").asText();
    }

    String name() {
        return object.path("metadata").path("name").asText();
    }

    String version() {
        return object.path("metadata").path("resourceVersion").asText();
    }

    ObjectReference reference() {
        return new ObjectReference(type.apiVersion(), type.kind(), namespace(), name(), uid());
    }

    boolean isSuspended() {
        return kind.isSuspended(object);
    }

    boolean isOver() {
        return kind.hasSucceeded(object) || kind.hasFailed(object);
    }

    boolean isLeaving() {
        return object.path("metadata").has("deletionTimestamp");
    }

    String annotation(String key) {
        return object.path("metadata").path("annotations").path(key).asText("");
    }

    /// Whether it is to be admitted. A workload that another one has made follows that one.
    ///
    /// @param namespace the object of its namespace
    boolean isWanted(JsonNode namespace) {
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean() && isKind(owner.path("kind").asText())) {
                return false;
            }
        }
        String own = object.path("metadata").path("labels").path(ADMIT).asText(annotation(ADMIT));
        return own.isEmpty()
                ? namespace.path("metadata").path("labels").path(ADMIT).asText().equals("true")
                : own.equals("true");
    }

    private static boolean isKind(String name) {
        for (WorkloadKind each : WorkloadKind.values()) {
            if (each.kind().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /// Which workload a pod belongs to; empty for none of ours.
    static String of(JsonNode pod) {
        return pod.path("metadata").path("labels").path(PODS_OF).asText("");
    }

    /// Selects the pods of all workloads.
    static String podSelector() {
        return PODS_OF;
    }

    /// Marks a template, so that its pods are found, and wait for their nodes.
    ///
    /// @return whether the template has changed
    boolean mark(ObjectNode template) {
        boolean changed = false;
        ObjectNode labels = template.withObject("/metadata").withObject("/labels");
        if (!labels.path(PODS_OF).asText().equals(uid())) {
            labels.put(PODS_OF, uid());
            changed = true;
        }
        if (!PodGate.isOn(template)) {
            PodGate.add(template);
            changed = true;
        }
        return changed;
    }
}
