package io.gpusched.wire.pool;

import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.request.JsonTree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Writes a pool as the document that [PoolRequest] reads: reading it again gives an equal pool.
public final class PoolDocument {
    private PoolDocument() {}

    public static JsonTree.Mapping of(Pool pool) {
        var out = new TreeBuilder();
        out.put("name", pool.id().name()).put("tenant_id", pool.tenant().name());
        out.put("model", pool.model()).put("replica", ReplicaDocument.of(pool.replica()));
        out.put("min_replicas", pool.min()).put("max_replicas", pool.max());
        out.put("warm_percent", pool.warmPercent());
        if (!pool.slo().isNone()) {
            out.put("slo", slo(pool.slo()));
        }
        out.put("scaling", scaling(pool.scaling()));
        out.put("cost", cost(pool.cost())).put("carbon", carbon(pool.carbon()));
        out.put("locality", locality(pool.locality())).put("serving", serving(pool.serving()));
        return out.build();
    }

    private static JsonTree slo(Slo slo) {
        return new TreeBuilder()
                .putUnlessZero("ttft_ms", slo.firstTokenMillis())
                .putUnlessZero("itl_ms", slo.interTokenMillis())
                .putUnlessZero("tokens_per_second", slo.tokensPerSecond())
                .put("percent", slo.permille(), 1)
                .build();
    }

    private static JsonTree scaling(ScalingRules rules) {
        var out = new TreeBuilder().put("law", rules.law());
        if (!rules.targets().isEmpty()) {
            var targets = new ArrayList<JsonTree>();
            for (var target : rules.targets()) {
                targets.add(
                        new TreeBuilder()
                                .put("metric", MetricNames.of(target.metric()))
                                .put("target", target.targetMilli(), 3)
                                .put("window_seconds", target.over().toSeconds())
                                .build());
            }
            out.put("targets", new JsonTree.Items(targets));
        }
        out.put("replica_tokens_per_second", rules.replicaTokensPerSecond());
        QueueRule queue = rules.queue();
        if (queue != null) {
            out.put("queue", queue(queue));
        }
        if (!rules.schedules().isEmpty()) {
            out.put(
                    "schedules",
                    new JsonTree.Items(
                            rules.schedules().stream().map(PoolDocument::schedule).toList()));
        }
        out.put("scale_up", behavior(rules.up())).put("scale_down", behavior(rules.down()));
        out.put("cooldown_seconds", rules.cooldown().toSeconds());
        out.put("interval_seconds", rules.every().toSeconds());
        return out.put("stale_after_seconds", rules.staleAfter().toSeconds()).build();
    }

    static JsonTree queue(QueueRule queue) {
        return new TreeBuilder()
                .put("prefetch", queue.prefetch())
                .put("throughput", queue.milliThroughput(), 3)
                .put("max_lag", queue.maxLag())
                .build();
    }

    private static JsonTree schedule(ScheduledSize schedule) {
        var days = new ArrayList<String>();
        for (int day = 0; day < 7; day++) {
            if ((schedule.days() & 1 << day) != 0) {
                days.add(ScheduleReader.DAYS.get(day));
            }
        }
        return new TreeBuilder()
                .put("name", schedule.name())
                .put("days", List.copyOf(days))
                .put("from", time(schedule.fromMinute()))
                .put("to", time((schedule.fromMinute() + schedule.minutes()) % 1_440))
                .put("replicas", schedule.replicas())
                .build();
    }

    private static String time(int minute) {
        return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
    }

    private static JsonTree behavior(ScaleBehavior behavior) {
        var steps = new ArrayList<JsonTree>();
        for (var step : behavior.steps()) {
            steps.add(
                    new TreeBuilder()
                            .put(step.percent() ? "percent" : "replicas", step.value())
                            .put("period_seconds", step.period().toSeconds())
                            .build());
        }
        return new TreeBuilder()
                .put("stabilization_seconds", behavior.stabilization().toSeconds())
                .put("steps", new JsonTree.Items(steps))
                .put("select", ScalingReader.select(behavior.select()))
                .build();
    }

    private static JsonTree cost(CostRules cost) {
        var out = new TreeBuilder();
        if (cost.maxMicroDollarsPerHour() > 0) {
            out.put("max_cost_per_hour", cost.maxMicroDollarsPerHour(), 6);
        }
        out.putUnlessZero("slo_headroom_ms", cost.headroomMillis());
        out.put("spot_percent", cost.spotPercent());
        out.putUnlessEmpty("spot_types", cost.spotTypes());
        out.putUnlessZero("max_interruptions", cost.maxInterruptions());
        out.put("interruption_window_seconds", cost.window().toSeconds());
        out.put("on_interruption", cost.migrate() ? RulesReader.MIGRATE : "none");
        if (!cost.fallbackModel().isEmpty()) {
            out.put("fallback_model", cost.fallbackModel());
            out.put("fallback_on_cost", cost.fallbackOnCost());
            out.put("fallback_on_slo", cost.fallbackOnSlo());
        }
        return out.putUnlessEmpty("larger_model", cost.largerModel()).build();
    }

    private static JsonTree carbon(CarbonRules carbon) {
        var out = new TreeBuilder();
        out.putUnlessEmpty("preferred_regions", carbon.preferredRegions());
        out.putUnlessZero("max_carbon_intensity", carbon.maxGramsPerKwh());
        if (carbon.cleanFromMinute() >= 0) {
            boolean wholeDay = carbon.cleanMinutes() == 1_440;
            int from = wholeDay ? 0 : carbon.cleanFromMinute();
            int to = wholeDay ? 1_440 : (from + carbon.cleanMinutes()) % 1_440;
            out.put("clean_hours", time(from) + "-" + time(to));
        }
        return out.build();
    }

    private static JsonTree locality(LocalityRules locality) {
        var out = new TreeBuilder();
        out.putUnlessEmpty("near", locality.near());
        if (locality.weightPercent() > 0) {
            out.put("weight", RulesReader.weight(locality.weightPercent()));
        }
        out.putUnlessEmpty("apart", locality.apart());
        if (locality.cachePercent() > 0) {
            out.put("cache_hit_weight", locality.cachePercent(), 2);
        }
        out.putUnlessZero("min_cached_replicas", locality.minCached());
        return out.putUnlessEmpty("preload_label", locality.preloadLabel()).build();
    }

    private static JsonTree serving(ServingRules serving) {
        return new TreeBuilder()
                .put("port", serving.port())
                .put("health_path", serving.healthPath())
                .put("metrics_path", serving.metricsPath())
                .put("drain_seconds", serving.drain().toSeconds())
                .putUnlessEmpty("session_header", serving.affinityHeader())
                .put("session_ttl_seconds", serving.affinityFor().toSeconds())
                .put("load_seconds", serving.loadTime().toSeconds())
                .put("update", serving.rolling() ? "rolling" : "none")
                .build();
    }
}
