package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The scheduling gate that holds each pod of an admitted workload until it is told its node.
final class PodGate {
    private static final String NAME = "gpu-scheduler.io/node";
    private static final String GATES = "schedulingGates";

    private PodGate() {}

    /// @param pod or a template of one
    static boolean isOn(JsonNode pod) {
        for (JsonNode gate : pod.path("spec").path(GATES)) {
            if (gate.path("name").asText().equals(NAME)) {
                return true;
            }
        }
        return false;
    }

    static void add(ObjectNode template) {
        template.withObject("/spec").withArray("/" + GATES).addObject().put("name", NAME);
    }

    /// Removes the gate, and has the pod run on no other node. Terms that the pod has stay: the API
    /// server lets a gated pod become only more demanding.
    static void open(ObjectNode pod, String node) {
        ObjectNode spec = pod.withObject("/spec");
        ArrayNode gates = spec.withArray("/" + GATES);
        for (int i = gates.size() - 1; i >= 0; i--) {
            if (gates.path(i).path("name").asText().equals(NAME)) {
                gates.remove(i);
            }
        }
        if (gates.isEmpty()) {
            spec.remove(GATES);
        }
        ArrayNode terms =
                spec.withObject("/affinity")
                        .withObject("/nodeAffinity")
                        .withObject("/requiredDuringSchedulingIgnoredDuringExecution")
                        .withArray("/nodeSelectorTerms");
        if (terms.isEmpty()) {
            terms.addObject();
        }
        for (JsonNode term : terms) {
            ((ObjectNode) term)
                    .withArray("/matchFields")
                    .addObject()
                    .put("key", "metadata.name")
                    .put("operator", "In")
                    .putArray("values")
                    .add(node);
        }
    }
}
