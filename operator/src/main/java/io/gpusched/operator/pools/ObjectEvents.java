package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.ObjectReference;

import java.util.HashMap;
import java.util.Map;

/// Events of custom resources, for `kubectl describe`. The same words about the same object are
/// told once: what goes on is told by conditions.
final class ObjectEvents {
    private final Sink sink;
    private final Map<ObjectKey, String> last = new HashMap<>();

    ObjectEvents(Sink sink) {
        this.sink = sink;
    }

    /// Takes events, as [io.gpusched.operator.kube.EventRecorder#record] does.
    @FunctionalInterface
    interface Sink {
        void record(ObjectReference about, String type, String reason, String message);
    }

    void warn(ObjectKey key, ObjectNode object, String reason, String words) {
        add(key, object, "Warning", reason, words);
    }

    void tell(ObjectKey key, ObjectNode object, String reason, String words) {
        add(key, object, "Normal", reason, words);
    }

    private void add(ObjectKey key, ObjectNode object, String type, String reason, String words) {
        String said = reason + ": " + words;
        if (!said.equals(last.put(key, said))) {
            var about =
                    new ObjectReference(
                            key.kind().type().apiVersion(),
                            key.kind().text(),
                            key.namespace(),
                            key.name(),
                            object.at("/metadata/uid").asText());
            sink.record(about, type, reason, words);
        }
    }

    void forget(ObjectKey key) {
        last.remove(key);
    }
}
