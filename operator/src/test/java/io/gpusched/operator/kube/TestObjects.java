package io.gpusched.operator.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/// TestObjects of Kubernetes for tests.
final class TestObjects {
    /// With GROUP in place of a group.
    static final String DEFINITION =
            """
            metadata: {name: things.GROUP}
            spec:
              group: GROUP
              scope: Namespaced
              names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                  scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.seen}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [size]
                        properties:
                          size: {type: integer, maximum: 3}
                          color: {type: string, default: red}
                      status:
                        type: object
                        properties:
                          seen: {type: integer}
            """;

    private static final YAMLMapper YAML = new YAMLMapper();

    private TestObjects() {}

    static ObjectNode tree(String yaml) {
        return (ObjectNode) parsed(yaml);
    }

    static ArrayNode list(String yaml) {
        return (ArrayNode) parsed(yaml);
    }

    private static JsonNode parsed(String yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(yaml, e);
        }
    }

    static ObjectNode named(String name) {
        return tree("{metadata: {name: '" + name + "'}}");
    }

    static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    static ObjectNode pod(String name) {
        return tree(
                """
                metadata: {name: '%s', labels: {app: t}}
                spec:
                  schedulerName: contract
                  containers: [{name: main, image: none}]
                """
                        .formatted(name));
    }

    static ObjectNode binding(String pod, String node) {
        return tree(
                """
                apiVersion: v1
                kind: Binding
                metadata: {name: '%s'}
                target: {apiVersion: v1, kind: Node, name: '%s'}
                """
                        .formatted(pod, node));
    }

    static ObjectNode annotated(ObjectNode object, String key, String value) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        metadata.withObjectProperty("annotations").put(key, value);
        return object;
    }
}
