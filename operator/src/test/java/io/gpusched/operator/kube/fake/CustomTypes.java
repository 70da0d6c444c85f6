package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Checks definitions of custom resources and establishes them at once.
final class CustomTypes {
    private CustomTypes() {}

    static void create(ObjectNode definition) {
        check(definition);
        ObjectNode status = definition.putObject("status");
        ArrayNode conditions = status.putArray("conditions");
        condition(conditions, "NamesAccepted", "NoConflicts");
        condition(conditions, "Established", "InitialNamesAccepted");
        status.set("acceptedNames", definition.path("spec").path("names").deepCopy());
        ArrayNode stored = status.putArray("storedVersions");
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("storage").asBoolean()) {
                stored.add(version.path("name").asText());
            }
        }
    }

    static void update(ObjectNode definition) {
        check(definition);
    }

    private static void condition(ArrayNode conditions, String type, String reason) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("reason", reason)
                .put("lastTransitionTime", ObjectStore.now());
    }

    private static void check(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        String name = definition.path("metadata").path("name").asText();
        String expected =
                spec.path("names").path("plural").asText() + "." + spec.path("group").asText();
        if (!name.equals(expected)) {
            throw wrong(
                    name,
                    "metadata.name: Invalid value: must be spec.names.plural+\".\"+spec.group");
        }
        int storing = 0;
        for (JsonNode version : spec.path("versions")) {
            storing += version.path("storage").asBoolean() ? 1 : 0;
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            if (!schema.path("type").asText().equals("object")) {
                throw wrong(name, "spec.versions[0].schema.openAPIV3Schema.type: must be object");
            }
        }
        if (storing != 1) {
            throw wrong(
                    name, "spec.versions: must have exactly one version marked as storage version");
        }
    }

    private static Refused wrong(String name, String problem) {
        return Refused.invalid("CustomResourceDefinition.apiextensions.k8s.io", name, problem);
    }
}
