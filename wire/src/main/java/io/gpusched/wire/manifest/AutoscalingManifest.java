package io.gpusched.wire.manifest;

import io.gpusched.wire.pool.TreeBuilder;
import io.gpusched.wire.request.JsonTree;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Turns `spec.autoscaling` of an AgentPool into the part `scaling` of a pool's document.
///
/// Of several limits of a step the larger one counts, as in Kubernetes, and sizes are rounded up.
final class AutoscalingManifest {
    private static final String TTFT = "ttft-p95";

    private final ManifestFields autoscaling;

    AutoscalingManifest(ManifestFields spec) {
        this.autoscaling = spec.object("autoscaling");
    }

    ManifestFields fields() {
        return autoscaling;
    }

    /// Reads all but costs, which [CostManifest] reads.
    JsonTree.Mapping document() {
        var out = new TreeBuilder();
        var targets = new ArrayList<JsonTree>();
        for (ManifestFields metric : autoscaling.objects("metrics")) {
            target(metric, targets);
        }
        if (!targets.isEmpty()) {
            out.put("targets", new JsonTree.Items(targets));
        }
        ManifestFields behavior = autoscaling.object("behavior");
        behavior(behavior, "scaleUp", "scale_up", out);
        behavior(behavior, "scaleDown", "scale_down", out);
        behavior.end();
        if (autoscaling.has("cooldownPeriod")) {
            out.put(
                    "cooldown_seconds",
                    autoscaling.duration("cooldownPeriod", Duration.ZERO).toSeconds());
        }
        predictive(out);
        rest();
        return out.build();
    }

    private static void target(ManifestFields metric, List<JsonTree> targets) {
        String type = metric.text("type").strip().toLowerCase(Locale.ROOT);
        String target = metric.text("target").strip();
        Duration window = metric.duration("averagingWindow", Duration.ZERO);
        metric.end();
        if (type.equals("cost-per-token")) {
            metric.warn("type", "cost-per-token is left out: set maxCostPerHour instead");
            return;
        }
        if (type.equals("ttft-p99")) {
            metric.warn("type", "ttft-p99 is read as " + TTFT + ", which gateways report");
            type = TTFT;
        }
        BigDecimal value = value(type, target);
        if (value == null || value.signum() <= 0) {
            metric.fields()
                    .problem(
                            "target",
                            "target must be a number over 0, found "
                                    + new JsonTree.Text(target).shown(),
                            type.equals(TTFT)
                                    ? "write for example 500ms"
                                    : "write for example \"500\"");
            return;
        }
        targets.add(
                new TreeBuilder()
                        .put("metric", type)
                        .put("target", new JsonTree.Text(value.toPlainString()))
                        .put("window_seconds", window.toSeconds())
                        .build());
    }

    /// A duration in milliseconds, or the number at the beginning of the text.
    private static @Nullable BigDecimal value(String type, String target) {
        Duration duration = target.matches(".*[a-z]") ? ManifestFields.duration(target) : null;
        if (type.equals(TTFT) && duration != null) {
            return BigDecimal.valueOf(duration.toMillis());
        }
        String number = target.replaceFirst("[^0-9.].*$", "");
        return number.matches("[0-9]{1,15}(\\.[0-9]{1,9})?") ? new BigDecimal(number) : null;
    }

    private static void behavior(ManifestFields from, String key, String ours, TreeBuilder out) {
        if (!from.has(key)) {
            return;
        }
        ManifestFields given = from.object(key);
        var rules = new TreeBuilder();
        if (given.has("stabilizationWindow")) {
            rules.put(
                    "stabilization_seconds",
                    given.duration("stabilizationWindow", Duration.ZERO).toSeconds());
        }
        long period =
                Math.max(1, given.duration("periodSeconds", Duration.ofSeconds(15)).toSeconds());
        var steps = new ArrayList<JsonTree>();
        for (String limit : List.of("maxChangePercent", "maxChangeAbsolute")) {
            JsonTree value = given.fields().value(limit);
            if (value != null) {
                steps.add(
                        new TreeBuilder()
                                .put(limit.endsWith("Percent") ? "percent" : "replicas", value)
                                .put("period_seconds", period)
                                .build());
            }
        }
        if (!steps.isEmpty()) {
            rules.put("steps", new JsonTree.Items(steps));
        }
        given.end();
        out.put(ours, rules.build());
    }

    private void predictive(TreeBuilder out) {
        ManifestFields predictive = autoscaling.object("predictive");
        JsonTree schedules = predictive.fields().value("schedules");
        if (schedules != null) {
            out.put("schedules", schedules);
        }
        predictive.skip(Set.of("enabled"));
        for (String key : List.of("lookbackWindow", "horizonMinutes", "minConfidence")) {
            predictive.without(key, "the law slo predicts arrivals by itself");
        }
        predictive.end();
    }

    private void rest() {
        autoscaling.skip(Set.of("enabled", "costConstraints", "spotStrategy"));
        autoscaling.without("strategy", "the largest of all targets decides, as in Kubernetes");
        autoscaling.without("useWarmPool", "prewarmPercent decides");
        autoscaling.without("replenishStrategy", "warm replicas are replaced at once");
        autoscaling.without("sloTarget", "the objectives are those of the agent class");
        autoscaling.without("externalMetrics", "bind a metric with a ToolBinding of type metric");
        autoscaling.end();
    }
}
