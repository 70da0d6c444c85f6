package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Set;

/// The status of an AgentPool, from what the scheduler says about its pool.
///
/// Figures that always move are rounded, so that a status does not change with every report.
final class PoolStatus {
    /// Fields that change without the pool changing.
    static final Set<String> FIGURES =
            Set.of(
                    "currentTokensPerSecond",
                    "activeSessions",
                    "currentMetrics",
                    "currentCostPerHour",
                    "reason");

    private static final MathContext TWO_DIGITS = new MathContext(2);

    private final StatusContext of;
    private final String serverName;
    private final JsonNode row;
    private final JsonNode state;
    private final boolean runnable;

    /// @param row the pool at the scheduler; missing where there is none
    /// @param runnable whether anything says what a replica runs
    PoolStatus(StatusContext of, String serverName, JsonNode row, boolean runnable) {
        this.of = of;
        this.serverName = serverName;
        this.row = row;
        this.state = row.path("status");
        this.runnable = runnable;
    }

    ObjectNode build() {
        ObjectNode out = of.status();
        out.put("phase", phase()).put("pool", serverName);
        out.put("selector", ReplicaPods.selector(of.key()));
        int ready = state.path("ready").asInt();
        int warm = state.path("warm").asInt();
        out.put("replicas", present()).put("readyReplicas", ready);
        out.put("desiredReplicas", state.path("desired").asInt());
        out.put("prewarmedReplicas", warm).put("warmReplicas", warm);
        out.put("updatedReplicas", state.path("updated").asInt());
        if (!state.isMissingNode()) {
            out.put("reason", state.path("reason").asText(""));
            figures(out);
        }
        if (state.hasNonNull("held_at")) {
            out.set("heldAt", state.path("held_at"));
        }
        if (state.hasNonNull("decided_at")) {
            out.put("lastScaleTime", seconds(state.path("decided_at").asText()));
        }
        out.set("conditions", conditions());
        return out;
    }

    /// Replicas that have started: those that wait for GPUs have no pods.
    private int present() {
        return state.path("ready").asInt()
                + state.path("starting").asInt()
                + state.path("draining").asInt();
    }

    private String phase() {
        if (of.isRefused()) {
            return "Failed";
        }
        return switch (state.path("phase").asText("")) {
            case "ready" -> runnable ? "Ready" : "Pending";
            case "stopped" -> runnable ? "Ready" : "Pending";
            case "scaling" -> "Scaling";
            case "degraded" -> "Degraded";
            default -> "Pending";
        };
    }

    private void figures(ObjectNode out) {
        out.put(
                "currentCostPerHour",
                String.format(Locale.ROOT, "%.2f", state.path("cost_per_hour").asDouble()));
        if (!state.hasNonNull("reported_at")) {
            return;
        }
        out.put("currentTokensPerSecond", rounded(state.path("tokens_per_second").asDouble()));
        out.put("activeSessions", state.path("sessions").asInt());
        ArrayNode metrics = out.putArray("currentMetrics");
        for (JsonNode target : row.at("/scaling/targets")) {
            String type = target.path("metric").asText();
            metric(type, current(type), target.path("target").asText(), metrics);
        }
        JsonNode objective = row.at("/slo/ttft_ms");
        if (objective.isNumber()) {
            metric("ttft-p95", state.path("ttft_p95_ms"), objective.asText(), metrics);
        }
    }

    private void metric(String type, JsonNode current, String target, ArrayNode metrics) {
        if (current.isNumber()) {
            metrics.addObject()
                    .put("type", type)
                    .put("current", plain(rounded(current.asDouble())))
                    .put("target", target)
                    .put("timestamp", seconds(state.path("reported_at").asText()));
        }
    }

    /// The figure that the scheduler tells for a target; missing where it tells none.
    private JsonNode current(String type) {
        return switch (type) {
            case "ttft-p95" -> state.path("ttft_p95_ms");
            case "tokens-in-queue" -> state.path("tokens_in_queue");
            case "concurrent-sessions" -> state.path("sessions");
            case "tokens-per-second" -> state.path("tokens_per_second");
            default -> state.path("");
        };
    }

    private static double rounded(double value) {
        return new BigDecimal(value).round(TWO_DIGITS).doubleValue();
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private static String seconds(String time) {
        return time.replaceFirst("\\.[0-9]+Z$", "Z");
    }

    private ArrayNode conditions() {
        if (!of.isAccepted()) {
            Conditions out = of.unaccepted();
            return out.build();
        }
        Conditions out = of.conditions();
        String phase = phase();
        String reason = state.path("reason").asText("");
        String counts =
                "%d of %d replicas are ready"
                        .formatted(state.path("ready").asInt(), state.path("desired").asInt());
        if (!runnable) {
            out.add(
                    "Ready",
                    false,
                    "NothingToRun",
                    "nothing says what a replica runs; write spec.template (a pod template) or"
                            + " spec.replica.image");
            out.add("Reconciling", false, "Settled", "the pool is held at 0 replicas");
        } else if (row.isMissingNode()) {
            out.add("Ready", false, "Applying", "the scheduler has taken the pool");
            out.add("Reconciling", true, "Applying", "the scheduler has taken the pool");
        } else {
            boolean settled = phase.equals("Ready");
            String update = state.path("update").asText("");
            out.add("Ready", settled, settled ? "ReplicasReady" : phase, counts);
            if (!update.isEmpty() && !state.path("update_stopped").asBoolean()) {
                out.add("Reconciling", true, "Updating", update);
            } else {
                out.add("Reconciling", !settled, settled ? "Settled" : "Scaling", reason);
            }
        }
        if (!of.missed(out)) {
            degraded(out);
        }
        of.warn(out);
        return out.build();
    }

    private void degraded(Conditions out) {
        String failure = state.path("failure").asText("");
        String lapse = state.path("lapse").asText("");
        if (!failure.isEmpty()) {
            out.add("Degraded", true, "ReplicasFail", failure);
        } else if (state.path("update_stopped").asBoolean()) {
            out.add("Degraded", true, "UpdateStopped", state.path("update").asText(""));
        } else if (!lapse.isEmpty()) {
            out.add("Degraded", true, "NoCapacity", lapse);
        } else if (state.path("stale").asBoolean()) {
            out.add("Degraded", true, "LoadUnknown", "nobody has reported the load of the pool");
        } else {
            out.add("Degraded", false, "AsExpected", "");
        }
    }
}
