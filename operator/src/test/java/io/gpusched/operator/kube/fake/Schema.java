package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The structural schema of a custom resource: fills in defaults, removes unknown fields, and finds
/// what is wrong. Rules in CEL are not evaluated.
final class Schema {
    private static final String KEEP = "x-kubernetes-preserve-unknown-fields";
    private static final String EITHER = "x-kubernetes-int-or-string";

    private final List<String> unknown = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    /// Fields that the schema does not know; they have been removed.
    List<String> unknown() {
        return unknown;
    }

    List<String> wrong() {
        return wrong;
    }

    void check(ObjectNode object, JsonNode schema) {
        for (String name : List.of("spec", "status")) {
            JsonNode value = object.path(name);
            JsonNode part = schema.path("properties").path(name);
            if (!value.isMissingNode() && !part.isMissingNode()) {
                value(value, part, name);
            }
        }
        for (var each : List.copyOf(object.properties())) {
            String name = each.getKey();
            if (!List.of("apiVersion", "kind", "metadata").contains(name)
                    && !schema.path("properties").has(name)
                    && !schema.path(KEEP).asBoolean()) {
                unknown.add(name);
                object.remove(name);
            }
        }
        required(object, schema, "");
    }

    private void value(JsonNode value, JsonNode schema, String path) {
        if (value.isNull() && schema.path("nullable").asBoolean()) {
            return;
        }
        if (schema.path(EITHER).asBoolean()) {
            if (!value.isIntegralNumber() && !value.isTextual()) {
                wrong.add(path + ": Invalid value: must be an integer or a string");
            }
            return;
        }
        String type = schema.path("type").asText("");
        if (!hasType(value, type)) {
            wrong.add(
                    "%s: Invalid value: \"%s\": %s in body must be of type %s"
                            .formatted(path, shown(value), path, type));
            return;
        }
        if (value instanceof ObjectNode object) {
            object(object, schema, path);
        } else if (value instanceof ArrayNode list) {
            limits(list.size(), schema, "minItems", "maxItems", path);
            for (int i = 0; i < list.size(); i++) {
                value(list.get(i), schema.path("items"), path + "[" + i + "]");
            }
        } else {
            scalar(value, schema, path);
        }
    }

    private static boolean hasType(JsonNode value, String type) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> true;
        };
    }

    private static String shown(JsonNode value) {
        return switch (value.getNodeType()) {
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            default -> value.getNodeType().toString().toLowerCase(java.util.Locale.ROOT);
        };
    }

    private void object(ObjectNode object, JsonNode schema, String path) {
        JsonNode properties = schema.path("properties");
        for (var each : properties.properties()) {
            if (!object.has(each.getKey()) && each.getValue().has("default")) {
                object.set(each.getKey(), each.getValue().path("default").deepCopy());
            }
        }
        JsonNode others = schema.path("additionalProperties");
        boolean keeps =
                schema.path(KEEP).asBoolean()
                        || others.isObject()
                        || others.asBoolean()
                        || schema.path("x-kubernetes-embedded-resource").asBoolean();
        for (var each : List.copyOf(object.properties())) {
            String inner = path + "." + each.getKey();
            if (properties.has(each.getKey())) {
                value(each.getValue(), properties.path(each.getKey()), inner);
            } else if (others.isObject()) {
                value(each.getValue(), others, inner);
            } else if (!keeps) {
                unknown.add(inner);
                object.remove(each.getKey());
            }
        }
        required(object, schema, path + ".");
        limits(object.size(), schema, "minProperties", "maxProperties", path);
    }

    private void required(ObjectNode object, JsonNode schema, String prefix) {
        for (JsonNode each : schema.path("required")) {
            if (!object.has(each.asText())) {
                wrong.add(prefix + each.asText() + ": Required value");
            }
        }
    }

    private void scalar(JsonNode value, JsonNode schema, String path) {
        if (schema.has("enum")) {
            boolean isListed = false;
            for (JsonNode each : schema.path("enum")) {
                isListed |= each.asText().equals(value.asText());
            }
            if (!isListed) {
                wrong.add(path + ": Unsupported value: \"" + value.asText() + "\"");
            }
        }
        if (value.isTextual()) {
            limits(value.asText().length(), schema, "minLength", "maxLength", path);
            String pattern = schema.path("pattern").asText("");
            if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(value.asText()).find()) {
                wrong.add(path + ": Invalid value: should match '" + pattern + "'");
            }
        }
        if (value.isNumber()) {
            limits(value.asDouble(), schema, "minimum", "maximum", path);
        }
    }

    private void limits(double value, JsonNode schema, String low, String high, String path) {
        if (schema.has(low) && value < schema.path(low).asDouble()) {
            wrong.add(path + ": Invalid value: less than " + low + " " + schema.path(low).asText());
        }
        if (schema.has(high) && value > schema.path(high).asDouble()) {
            wrong.add(
                    path + ": Invalid value: more than " + high + " " + schema.path(high).asText());
        }
    }
}
