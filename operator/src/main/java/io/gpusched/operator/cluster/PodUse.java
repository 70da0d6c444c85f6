package io.gpusched.operator.cluster;

import com.fasterxml.jackson.databind.JsonNode;

/// A pod on a node, and what it takes there. A pod counts from its binding until it is over: a
/// terminating pod still has its resources, while a pod that succeeded or failed has none.
///
/// @param name namespace and name, for people
public record PodUse(String uid, String name, String node, PodResources resources) {
    /// Whether the pod takes anything of a node.
    public static boolean counts(JsonNode pod) {
        return !pod.path("spec").path("nodeName").asText("").isEmpty() && !isOver(pod);
    }

    /// Whether its containers will never run again.
    public static boolean isOver(JsonNode pod) {
        String phase = pod.path("status").path("phase").asText();
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /// @throws IllegalArgumentException if a request is no quantity
    public static PodUse of(JsonNode pod) {
        JsonNode metadata = pod.path("metadata");
        return new PodUse(
                metadata.path("uid").asText(),
                metadata.path("namespace").asText() + "/" + metadata.path("name").asText(),
                pod.path("spec").path("nodeName").asText(""),
                PodResources.of(pod));
    }
}
