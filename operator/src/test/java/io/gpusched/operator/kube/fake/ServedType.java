package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import io.gpusched.operator.kube.ResourceType;

/// A type that the server has, in one version.
///
/// @param hasStatus the status is written by the sub-resource only
/// @param scale the paths of the sub-resource `scale`, missing without one
/// @param schema what a custom resource must look like; missing for built-in types
record ServedType(ResourceType type, boolean hasStatus, JsonNode scale, JsonNode schema) {
    static ServedType builtIn(ResourceType type, boolean hasStatus) {
        return new ServedType(
                type, hasStatus, MissingNode.getInstance(), MissingNode.getInstance());
    }

    ServedType scaled(JsonNode paths) {
        return new ServedType(type, hasStatus, paths, schema);
    }

    boolean isCustom() {
        return !schema.isMissingNode();
    }

    /// Equal for all versions of the type: they show the same objects.
    String storage() {
        return type.group() + "/" + type.plural();
    }

    /// The type in messages: `pods`, `jobs.batch`.
    String qualified() {
        return type.group().isEmpty() ? type.plural() : type.plural() + "." + type.group();
    }
}
