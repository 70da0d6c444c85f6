package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.regex.Pattern;

/// What the server checks in an object, and what it fills in.
final class Admission {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.:]*[a-z0-9])?");
    private static final Pattern MICRO_TIME =
            Pattern.compile(
                    "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)");
    private static final int LONGEST_NAME = 253;

    private final ObjectStore store;
    private final PodRules pods;

    Admission(ObjectStore store, PodRules pods) {
        this.store = store;
        this.pods = pods;
    }

    /// @param isStrict unknown fields are errors
    void create(ServedType type, ObjectNode object, boolean isStrict) {
        String name = object.path("metadata").path("name").asText("");
        if (!NAME.matcher(name).matches() || name.length() > LONGEST_NAME) {
            throw Refused.invalid(
                    type.type().kind(),
                    name,
                    "metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'"
                            .formatted(name));
        }
        checkMetadata(type, object);
        switch (type.storage()) {
            case "/pods" -> pods.create(object);
            case "/nodes" -> addNotReadyTaint(object);
            case "policy/poddisruptionbudgets" -> clearBudget(object);
            case "apiextensions.k8s.io/customresourcedefinitions" -> CustomTypes.create(object);
            default -> {}
        }
        checkSchema(type, object, isStrict);
    }

    /// @param sub the sub-resource that is written, empty for the object itself
    void update(ServedType type, ObjectNode before, ObjectNode object, String sub) {
        checkMetadata(type, object);
        if (type.storage().equals("/pods") && sub.isEmpty()) {
            pods.update(before, object);
        }
        if (type.storage().equals("apiextensions.k8s.io/customresourcedefinitions")) {
            CustomTypes.update(object);
        }
    }

    void checkSchema(ServedType type, ObjectNode object, boolean isStrict) {
        if (!type.isCustom()) {
            return;
        }
        var schema = new Schema();
        schema.check(object, type.schema());
        if (isStrict && !schema.unknown().isEmpty()) {
            throw Refused.badRequest(
                    "%s in version \"%s\" cannot be handled as a %s: strict decoding error: unknown field \"%s\""
                            .formatted(
                                    type.type().kind(),
                                    type.type().version(),
                                    type.type().kind(),
                                    String.join("\", unknown field \"", schema.unknown())));
        }
        if (!schema.wrong().isEmpty()) {
            throw Refused.invalid(
                    type.type().kind() + "." + type.type().group(),
                    object.path("metadata").path("name").asText(""),
                    String.join(", ", schema.wrong()));
        }
    }

    private static void checkMetadata(ServedType type, ObjectNode object) {
        for (String field : List.of("labels", "annotations")) {
            for (var each : object.path("metadata").path(field).properties()) {
                if (!each.getValue().isTextual()) {
                    throw undecodable(type, "metadata." + field + "." + each.getKey());
                }
            }
        }
        if (type.storage().equals("coordination.k8s.io/leases")) {
            for (String field : List.of("acquireTime", "renewTime")) {
                JsonNode time = object.path("spec").path(field);
                if (time.isTextual() && !MICRO_TIME.matcher(time.asText()).matches()) {
                    throw undecodable(type, "spec." + field);
                }
            }
        }
    }

    static Refused undecodable(ServedType type, String field) {
        return Refused.badRequest(
                "%s in version \"%s\" cannot be handled as a %s: %s"
                        .formatted(
                                type.type().kind(),
                                type.type().version(),
                                type.type().kind(),
                                field));
    }

    /// New nodes are not ready until somebody says otherwise.
    private static void addNotReadyTaint(ObjectNode node) {
        ObjectNode spec = child(node, "spec");
        ArrayNode taints =
                spec.get("taints") instanceof ArrayNode array ? array : spec.putArray("taints");
        for (JsonNode each : taints) {
            if (each.path("key").asText().equals("node.kubernetes.io/not-ready")) {
                return;
            }
        }
        taints.addObject().put("key", "node.kubernetes.io/not-ready").put("effect", "NoSchedule");
    }

    private static void clearBudget(ObjectNode budget) {
        budget.set(
                "status",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("disruptionsAllowed", 0)
                        .put("currentHealthy", 0)
                        .put("desiredHealthy", 0)
                        .put("expectedPods", 0));
    }

    static ObjectNode child(ObjectNode object, String name) {
        return object.get(name) instanceof ObjectNode child ? child : object.putObject(name);
    }

    void checkNamespace(ServedType type, String namespace) {
        if (type.type().namespaced() && store.find("/namespaces", "", namespace) == null) {
            throw Refused.notFound("namespaces", namespace);
        }
    }
}
