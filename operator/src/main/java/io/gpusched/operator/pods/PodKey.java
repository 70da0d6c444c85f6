package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

/// Names one pod. Two pods of one name, one after the other, differ in their UID.
public record PodKey(String namespace, String name, String uid) {
    public static PodKey of(JsonNode pod) {
        JsonNode metadata = pod.path("metadata");
        return new PodKey(
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("uid").asText());
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
