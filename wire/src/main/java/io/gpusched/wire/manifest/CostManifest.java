package io.gpusched.wire.manifest;

import io.gpusched.wire.pool.TreeBuilder;
import io.gpusched.wire.request.JsonTree;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Turns what an AgentPool says about money into the part `cost` of a pool's document. The same
/// settings may stand under `scheduling.costOptimization` and under `autoscaling`; the former wins.
final class CostManifest {
    private static final int USUAL_SPOT_PERCENT = 100;
    private static final long HOUR = 3_600;

    private final ManifestFields scheduling;
    private final ManifestFields autoscaling;

    CostManifest(ManifestFields scheduling, AutoscalingManifest autoscaling) {
        this.scheduling = scheduling;
        this.autoscaling = autoscaling.fields();
    }

    JsonTree.Mapping document() {
        var out = new TreeBuilder();
        if (autoscaling.has("costConstraints")) {
            constraints(autoscaling.object("costConstraints"), out);
        }
        if (autoscaling.isEnabled("spotStrategy")) {
            spot(autoscaling.object("spotStrategy"), out);
        }
        if (scheduling.isEnabled("costOptimization")) {
            optimization(scheduling.object("costOptimization"), out);
        } else {
            scheduling.skip(Set.of("costOptimization"));
        }
        return out.build();
    }

    private static void constraints(ManifestFields constraints, TreeBuilder out) {
        AgentPoolManifest.copy(constraints, "maxCostPerHour", "max_cost_per_hour", out);
        ManifestFields optimization = constraints.object("optimization");
        if (optimization.flag("preferSpot", false)) {
            out.put("spot_percent", USUAL_SPOT_PERCENT);
        }
        optimization.without("spotMaxPrice", "prices are those of the nodes' market data");
        optimization.without("dynamicModelSelection", "set fallbackModel instead");
        optimization.end();
        constraints.without("dailyBudget", "the limit is per hour");
        constraints.without("onBudgetExceeded", "replicas beyond the limit are not started");
        constraints.end();
    }

    private static void optimization(ManifestFields cost, TreeBuilder out) {
        AgentPoolManifest.copy(cost, "maxCostPerHour", "max_cost_per_hour", out);
        AgentPoolManifest.copy(cost, "sloHeadroomMs", "slo_headroom_ms", out);
        boolean spot = cost.flag("spotEnabled", cost.has("spotStrategy"));
        if (spot) {
            out.put("spot_percent", USUAL_SPOT_PERCENT);
        }
        if (cost.has("spotMaxInterruptions")) {
            AgentPoolManifest.copy(cost, "spotMaxInterruptions", "max_interruptions", out);
            out.put("interruption_window_seconds", HOUR);
        }
        fallback(cost, out);
        ManifestFields strategy = cost.object("spotStrategy");
        if (spot) {
            spot(strategy, out);
        }
        threshold(cost.object("interruptionThreshold"), out);
        cost.skip(Set.of("enabled", "spotStrategy"));
        cost.end();
    }

    private static void fallback(ManifestFields cost, TreeBuilder out) {
        String model = cost.text("fallbackModel");
        ManifestFields trigger = cost.object("fallbackTrigger");
        boolean onCost = trigger.flag("costExceeded", !model.isEmpty());
        boolean onSlo = trigger.flag("sloAtRisk", false);
        trigger.end();
        if (!model.isEmpty()) {
            out.put("fallback_model", model);
            out.put("fallback_on_cost", onCost).put("fallback_on_slo", onSlo);
        } else if (cost.has("fallbackTrigger")) {
            cost.warn("fallbackTrigger", "has no effect without fallbackModel");
        }
        out.putUnlessEmpty("larger_model", cost.text("largerModel"));
    }

    /// `onInterruption` is a text in one place and an object with an action in the other.
    private static void spot(ManifestFields strategy, TreeBuilder out) {
        out.putUnlessEmpty("spot_types", strategy.texts("instanceTypes"));
        JsonTree percent = strategy.fields().value("maxSpotPercent");
        out.put("spot_percent", percent == null ? new JsonTree.Whole(USUAL_SPOT_PERCENT) : percent);
        if (strategy.fields().value("onInterruption") instanceof JsonTree.Mapping) {
            ManifestFields action = strategy.object("onInterruption");
            out.putUnlessEmpty("on_interruption", action.text("action"));
            action.without("timeout", "the notice of the interruption limits the time");
            action.end();
        } else {
            out.putUnlessEmpty("on_interruption", strategy.text("onInterruption"));
        }
        strategy.skip(Set.of("enabled"));
        strategy.end();
    }

    private static void threshold(ManifestFields threshold, TreeBuilder out) {
        if (threshold.has("count")) {
            AgentPoolManifest.copy(threshold, "count", "max_interruptions", out);
            Duration window = threshold.duration("window", Duration.ofSeconds(HOUR));
            out.put("interruption_window_seconds", window.toSeconds());
        }
        String action = threshold.text("action");
        if (!List.of("", "disable-spot").contains(action)) {
            threshold.warn("action", "is read as disable-spot, the only action there is");
        }
        threshold.end();
    }
}
