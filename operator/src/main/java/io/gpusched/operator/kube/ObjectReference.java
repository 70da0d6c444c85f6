package io.gpusched.operator.kube;

import com.fasterxml.jackson.databind.JsonNode;

/// Names one object, for events about it.
///
/// @param namespace empty for objects without one
public record ObjectReference(
        String apiVersion, String kind, String namespace, String name, String uid) {
    public static ObjectReference of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectReference(
                object.path("apiVersion").asText(""),
                object.path("kind").asText(""),
                metadata.path("namespace").asText(""),
                metadata.path("name").asText(""),
                metadata.path("uid").asText(""));
    }

    public static ObjectReference pod(String namespace, String name, String uid) {
        return new ObjectReference("v1", "Pod", namespace, name, uid);
    }
}
