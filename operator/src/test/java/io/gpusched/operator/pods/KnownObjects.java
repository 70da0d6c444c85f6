package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.ResourceType;

import java.util.HashMap;
import java.util.Map;

/// The objects of a cluster that a test needs.
final class KnownObjects implements ClusterObjects {
    private final Map<String, JsonNode> objects = new HashMap<>();

    KnownObjects with(ResourceType type, String yaml) {
        JsonNode object = KubeYaml.object(yaml);
        JsonNode metadata = object.path("metadata");
        objects.put(
                type.path(metadata.path("namespace").asText(""), metadata.path("name").asText()),
                object);
        return this;
    }

    @Override
    public JsonNode find(ResourceType type, String namespace, String name) {
        return objects.getOrDefault(type.path(namespace, name), MissingNode.getInstance());
    }
}
