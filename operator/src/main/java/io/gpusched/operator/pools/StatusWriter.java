package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeApi.PatchKind;
import io.gpusched.operator.kube.KubeException;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Writes a status when it differs from the one that is there. Figures that change all the time are
/// written with the next other change, or after half a minute. One thread owns it.
final class StatusWriter {
    private static final Duration FIGURES_EVERY = Duration.ofSeconds(30);

    /// What was written last, because the object in the cache may be older.
    private record Written(String uid, ObjectNode status, Instant at) {}

    private final KubeApi api;
    private final Map<ObjectKey, Written> written = new HashMap<>();

    StatusWriter(KubeApi api) {
        this.api = api;
    }

    /// @param figures fields that alone are no reason to write at once
    void write(
            ObjectKey key, ObjectNode object, ObjectNode status, Set<String> figures, Instant now) {
        String uid = object.at("/metadata/uid").asText();
        Written last = written.get(key);
        JsonNode before = object.path("status");
        boolean soon = false;
        if (last != null && last.uid().equals(uid)) {
            before = last.status();
            soon = now.isBefore(last.at().plus(FIGURES_EVERY));
        }
        if (isSame(before, status)
                || soon && isSame(without(before, figures), without(status, figures))) {
            return;
        }
        try {
            api.patch(
                    key.kind().type(),
                    key.namespace(),
                    key.name(),
                    "status",
                    PatchKind.MERGE,
                    patch(object.path("status"), before, status));
        } catch (KubeException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        written.put(key, new Written(uid, status, now));
    }

    /// Whether both mean the same: the API server may write 120 for 120.0.
    private static boolean isSame(JsonNode one, JsonNode other) {
        return one.equals(
                (left, right) ->
                        left.isNumber() && right.isNumber()
                                ? left.decimalValue().compareTo(right.decimalValue())
                                : left.equals(right) ? 0 : 1,
                other);
    }

    void forget(ObjectKey key) {
        written.remove(key);
    }

    private static JsonNode without(JsonNode status, Set<String> figures) {
        return status instanceof ObjectNode fields ? fields.deepCopy().remove(figures) : status;
    }

    /// Sets every field, and removes those that are there no longer.
    private static ObjectNode patch(JsonNode present, JsonNode before, ObjectNode status) {
        ObjectNode changes = status.deepCopy();
        for (JsonNode old : new JsonNode[] {present, before}) {
            old.fieldNames()
                    .forEachRemaining(
                            key -> {
                                if (!status.has(key)) {
                                    changes.putNull(key);
                                }
                            });
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.set("status", changes);
        return patch;
    }
}
