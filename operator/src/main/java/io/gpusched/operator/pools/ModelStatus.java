package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.Locale;
import java.util.Set;

/// The status of a Model: which nodes hold it, from what the scheduler says.
final class ModelStatus {
    /// Fields that change without the model changing.
    static final Set<String> FIGURES = Set.of("lastUsed");

    private static final String READY = "ready";
    private static final String LOADING = "loading";
    private static final String FAILED = "failed";

    private final StatusContext of;
    private final String serverName;
    private final JsonNode row;

    /// @param row the model at the scheduler; missing where there is none
    ModelStatus(StatusContext of, String serverName, JsonNode row) {
        this.of = of;
        this.serverName = serverName;
        this.row = row;
    }

    ObjectNode build() {
        ObjectNode out = of.status();
        ArrayNode nodes = out.arrayNode();
        String lastUsed = "";
        for (JsonNode each : row.at("/status/nodes")) {
            node(each, nodes);
            String used = each.path("last_used").asText("");
            lastUsed = used.compareTo(lastUsed) > 0 ? used : lastUsed;
        }
        out.put("phase", phase(nodes)).put("model", serverName);
        out.set("cachedNodes", nodes);
        out.put("cachedNodeCount", count(nodes, READY));
        String address = row.path("uri").asText("") + " " + row.path("size_bytes").asText("");
        out.put("version", ServerNames.hash(address).substring(0, 12));
        if (!lastUsed.isEmpty()) {
            out.put("lastUsed", lastUsed.replaceFirst("\\.[0-9]+Z$", "Z"));
        }
        out.set("conditions", conditions(nodes));
        return out;
    }

    private void node(JsonNode each, ArrayNode nodes) {
        String name = each.path("node_id").asText();
        String state =
                switch (each.path("state").asText("")) {
                    case "cached" -> READY;
                    case "evicting" -> "evicting";
                    case FAILED -> FAILED;
                    default -> LOADING;
                };
        ObjectNode out = nodes.addObject().put("nodeName", name).put("status", state);
        if (state.equals(READY)) {
            out.put("cachedAt", cachedAt(name));
        }
        long bytes = each.path("bytes").asLong();
        if (bytes > 0) {
            out.put("size", size(bytes));
        }
        put(out, "reason", each.path("why").asText(""));
        put(out, "message", each.path("problem").asText(""));
    }

    private static void put(ObjectNode out, String key, String text) {
        if (!text.isEmpty()) {
            out.put(key, text);
        }
    }

    /// When this operator, or one before it, first saw the copy.
    private String cachedAt(String node) {
        for (JsonNode each : of.before().path("cachedNodes")) {
            if (each.path("nodeName").asText().equals(node)
                    && each.path("status").asText().equals(READY)
                    && each.hasNonNull("cachedAt")) {
                return each.path("cachedAt").asText();
            }
        }
        return Conditions.time(of.now());
    }

    private static String size(long bytes) {
        String[] units = {"", "Ki", "Mi", "Gi", "Ti"};
        int unit = 0;
        double value = bytes;
        while (value >= 1_024 && unit < units.length - 1) {
            value /= 1_024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f%s" : "%.1f%s", value, units[unit]);
    }

    private static int count(ArrayNode nodes, String status) {
        int found = 0;
        for (JsonNode each : nodes) {
            found += each.path("status").asText().equals(status) ? 1 : 0;
        }
        return found;
    }

    /// A model that no node should hold waits for nothing, but no node is ready either.
    private String phase(ArrayNode nodes) {
        if (of.isRefused()) {
            return "Failed";
        }
        if (count(nodes, READY) > 0) {
            return "Ready";
        }
        return count(nodes, LOADING) > 0
                ? "Loading"
                : count(nodes, FAILED) > 0 ? "Failed" : "Pending";
    }

    private ArrayNode conditions(ArrayNode nodes) {
        if (!of.isAccepted()) {
            return of.unaccepted().build();
        }
        Conditions out = of.conditions();
        int ready = count(nodes, READY);
        int loading = count(nodes, LOADING);
        int failed = count(nodes, FAILED);
        String words = "%d nodes hold the model, %d load it".formatted(ready, loading);
        boolean is = ready > 0 || loading + failed == 0;
        out.add("Ready", is, is ? ready > 0 ? "Cached" : "Declared" : "NotCached", words);
        out.add("Reconciling", loading > 0, loading > 0 ? "Loading" : "Settled", words);
        if (failed > 0) {
            out.add("Degraded", true, "LoadFailed", problems(nodes));
        } else if (!of.missed(out)) {
            out.add("Degraded", false, "AsExpected", "");
        }
        of.warn(out);
        return out.build();
    }

    private static String problems(ArrayNode nodes) {
        var words = new StringBuilder();
        for (JsonNode each : nodes) {
            if (each.path("status").asText().equals(FAILED)) {
                words.append(words.isEmpty() ? "" : "; ")
                        .append(each.path("nodeName").asText())
                        .append(": ")
                        .append(each.path("message").asText("the load failed"));
            }
        }
        return words.toString();
    }
}
