package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Builds the conditions of a status. A condition keeps the time of its last transition until its
/// `status` changes.
///
/// `Ready`, `Reconciling` and `Stalled` mean what tools such as `kubectl wait` and kstatus expect:
/// `Stalled` is there only while the author of the object has to act.
final class Conditions {
    private static final int LONGEST = 2_048;

    private final JsonNode before;
    private final long generation;
    private final Instant now;
    private final ArrayNode all = JsonNodeFactory.instance.arrayNode();

    /// @param before the conditions that the object has
    Conditions(JsonNode before, long generation, Instant now) {
        this.before = before;
        this.generation = generation;
        this.now = now;
    }

    /// @param state `True`, `False` or `Unknown`
    /// @param reason one word in CamelCase
    Conditions add(String type, String state, String reason, String message) {
        ObjectNode condition = all.addObject();
        condition.put("type", type).put("status", state).put("reason", reason);
        condition.put(
                "message",
                message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…");
        condition.put("observedGeneration", generation);
        condition.put("lastTransitionTime", since(type, state));
        return this;
    }

    Conditions add(String type, boolean state, String reason, String message) {
        return add(type, state ? "True" : "False", reason, message);
    }

    private String since(String type, String state) {
        for (JsonNode each : before) {
            if (each.path("type").asText().equals(type)
                    && each.path("status").asText().equals(state)
                    && each.hasNonNull("lastTransitionTime")) {
                return each.path("lastTransitionTime").asText();
            }
        }
        return time(now);
    }

    ArrayNode build() {
        return all;
    }

    /// A time as the API server writes it.
    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
