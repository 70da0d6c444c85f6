package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Events of custom resources, for `kubectl describe`. The same words about the same object are
/// written once. An event that cannot be written is lost: the condition says the same.
final class PoolEvents {
    private static final Logger log = LoggerFactory.getLogger(PoolEvents.class);
    private static final int LONGEST = 1_000;

    private final KubeApi api;
    private final Map<ObjectKey, String> last = new HashMap<>();

    PoolEvents(KubeApi api) {
        this.api = api;
    }

    /// @param type `Normal` or `Warning`
    /// @param reason one word in CamelCase
    void add(
            ObjectKey key,
            ObjectNode object,
            String type,
            Instant now,
            String reason,
            String words) {
        if ((reason + words).equals(last.put(key, reason + words))) {
            return;
        }
        String time = Conditions.time(now);
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("apiVersion", "v1").put("kind", "Event");
        String name = key.name().length() > 200 ? key.name().substring(0, 200) : key.name();
        event.putObject("metadata")
                .put("generateName", name + ".")
                .put("namespace", key.namespace());
        event.putObject("involvedObject")
                .put("apiVersion", key.kind().type().apiVersion())
                .put("kind", key.kind().text())
                .put("namespace", key.namespace())
                .put("name", key.name())
                .put("uid", object.at("/metadata/uid").asText())
                .put("resourceVersion", object.at("/metadata/resourceVersion").asText());
        event.put("type", type).put("reason", reason);
        event.put("message", words.length() > LONGEST ? words.substring(0, LONGEST) + "…" : words);
        event.put("firstTimestamp", time).put("lastTimestamp", time).put("count", 1);
        event.putObject("source").put("component", "gpu-scheduler-operator");
        try {
            api.create(ResourceType.EVENTS, key.namespace(), event);
        } catch (KubeException e) {
            log.debug("no event for {}: {}", key, e.getMessage());
        }
    }

    void forget(ObjectKey key) {
        last.remove(key);
    }
}
