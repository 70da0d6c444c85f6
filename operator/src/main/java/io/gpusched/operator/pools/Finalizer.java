package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeApi.PatchKind;

/// The mark that keeps a deleted object until the scheduler has forgotten it.
///
/// Both changes state the version that they are made of, so that nobody else's mark is lost: a
/// conflict is tried again with the newest object.
final class Finalizer {
    static final String NAME = "gpu-scheduler.io/pools";

    private final KubeApi api;

    Finalizer(KubeApi api) {
        this.api = api;
    }

    static boolean isOn(JsonNode object) {
        for (JsonNode each : object.at("/metadata/finalizers")) {
            if (each.asText().equals(NAME)) {
                return true;
            }
        }
        return false;
    }

    static boolean isDeleted(JsonNode object) {
        return object.at("/metadata").hasNonNull("deletionTimestamp");
    }

    /// @return the object with the mark
    ObjectNode put(ObjectKey key, ObjectNode object) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        object.at("/metadata/finalizers").forEach(all::add);
        return patch(key, object, all.add(NAME));
    }

    void remove(ObjectKey key, ObjectNode object) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        for (JsonNode each : object.at("/metadata/finalizers")) {
            if (!each.asText().equals(NAME)) {
                all.add(each);
            }
        }
        patch(key, object, all);
    }

    private ObjectNode patch(ObjectKey key, ObjectNode object, ArrayNode finalizers) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata")
                .put("resourceVersion", object.at("/metadata/resourceVersion").asText())
                .set("finalizers", finalizers);
        return api.patch(
                key.kind().type(), key.namespace(), key.name(), "", PatchKind.MERGE, patch);
    }
}
