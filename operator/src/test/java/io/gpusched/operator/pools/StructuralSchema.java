package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A structural schema as an API server enforces it: checks the schema itself, and objects with the
/// strict validation that `kubectl apply` asks for.
///
///     {type: object, properties: {a: {type: integer}}}    {a: x} → spec.a must be of type integer
final class StructuralSchema {
    private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "integer", "number", "boolean");

    private final JsonNode root;

    /// @param crd a CustomResourceDefinition with one version
    StructuralSchema(JsonNode crd) {
        this.root = crd.at("/spec/versions/0/schema/openAPIV3Schema");
    }

    /// What an API server would not accept as a structural schema.
    List<String> faults() {
        var found = new ArrayList<String>();
        check("", root, found);
        return found;
    }

    private static void check(String path, JsonNode schema, List<String> found) {
        String type = schema.path("type").asText("");
        if (type.isEmpty() && !schema.path(PRESERVE).asBoolean()) {
            found.add(path + " has neither a type nor " + PRESERVE);
        }
        if (!type.isEmpty() && !TYPES.contains(type)) {
            found.add(path + " has the unknown type " + type);
        }
        if (schema.has("properties") && schema.has("additionalProperties")) {
            found.add(path + " has properties and additionalProperties");
        }
        if (type.equals("array") && !schema.has("items")) {
            found.add(path + " is a list without items");
        }
        if (schema.has("default") || schema.has("enum")) {
            found.add(path + " has a default or an enumeration, which published manifests break");
        }
        schema.path("properties")
                .properties()
                .forEach(each -> check(path + "." + each.getKey(), each.getValue(), found));
        if (schema.has("items")) {
            check(path + "[]", schema.path("items"), found);
        }
        if (schema.has("additionalProperties")) {
            check(path + "{}", schema.path("additionalProperties"), found);
        }
    }

    /// Why an API server would refuse the object.
    List<String> refuses(JsonNode object) {
        var found = new ArrayList<String>();
        validate("", root, object, found);
        return found;
    }

    private static void validate(String path, JsonNode schema, JsonNode value, List<String> found) {
        String type = schema.path("type").asText("");
        if (!type.isEmpty() && !isOf(type, value)) {
            found.add(path + " must be of type " + type + ", found " + value);
            return;
        }
        if (value.isNumber()) {
            range(path, schema, value, found);
        }
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                found.add(path + "." + required.asText() + " is required");
            }
        }
        for (JsonNode item : value.isArray() ? value : List.<JsonNode>of()) {
            validate(path + "[]", schema.path("items"), item, found);
        }
        if (value.isObject() && !path.equals(".metadata")) {
            value.properties()
                    .forEach(
                            each ->
                                    field(
                                            path + "." + each.getKey(),
                                            schema,
                                            each.getKey(),
                                            each.getValue(),
                                            found));
        }
    }

    private static void field(
            String path, JsonNode schema, String key, JsonNode value, List<String> found) {
        if (schema.path("properties").has(key)) {
            validate(path, schema.path("properties").path(key), value, found);
        } else if (schema.has("additionalProperties")) {
            validate(path, schema.path("additionalProperties"), value, found);
        } else if (!schema.path(PRESERVE).asBoolean()) {
            found.add("unknown field " + path);
        }
    }

    private static void range(String path, JsonNode schema, JsonNode value, List<String> found) {
        if (schema.has("minimum") && value.asDouble() < schema.path("minimum").asDouble()
                || schema.has("maximum") && value.asDouble() > schema.path("maximum").asDouble()) {
            found.add(path + " is out of range: " + value);
        }
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> value.isBoolean();
        };
    }
}
