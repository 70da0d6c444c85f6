package io.gpusched.wire.pool;

import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.PoolMetric;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.request.RequestFields;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads the part `scaling` of a pool's document.
final class ScalingReader {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MOST_ENTRIES = 64;
    private static final double MOST_TARGET = 1e12;

    private static final Map<String, ScaleBehavior.Select> SELECTS =
            Stream.of(ScaleBehavior.Select.values())
                    .collect(Collectors.toMap(ScalingReader::select, Function.identity()));

    private final List<String> warnings;

    ScalingReader(List<String> warnings) {
        this.warnings = warnings;
    }

    /// The rules; the usual ones for a pool with this SLO if there is no such part.
    ScalingRules read(@Nullable RequestFields scaling, Slo slo) {
        if (scaling == null) {
            String law = usualLaw(List.of(), null, slo);
            return law.equals("slo") ? ScalingRules.slo() : ScalingRules.of(law);
        }
        List<MetricTarget> targets = targets(scaling);
        QueueRule queue = queue(scaling.object("queue"), warnings);
        String law = scaling.text("law", usualLaw(targets, queue, slo), 63);
        checkLaw(scaling, law, targets, queue, slo);
        long tokens = scaling.whole("replica_tokens_per_second", 0, 0, 1_000_000_000);
        var schedules = new ScheduleReader(warnings).read(scaling, MOST_ENTRIES);
        ScaleBehavior up = behavior(scaling, "scale_up", ScaleBehavior.UP);
        ScaleBehavior down = behavior(scaling, "scale_down", usualDown(law));
        ScalingRules usual = ScalingRules.slo();
        Duration cooldown =
                scaling.duration("cooldown_seconds", usual.cooldown(), SECOND, DAY.multipliedBy(7));
        Duration every = positive(scaling, "interval_seconds", usual.every());
        Duration stale = positive(scaling, "stale_after_seconds", usual.staleAfter());
        warnings.addAll(scaling.unknown());
        return new ScalingRules(
                law.isEmpty() ? "slo" : law,
                targets,
                tokens,
                queue,
                schedules,
                up,
                down,
                cooldown,
                every,
                stale);
    }

    /// A law with a margin of its own needs little stabilisation.
    private static ScaleBehavior usualDown(String law) {
        return law.isEmpty() || law.equals("slo") ? ScaleBehavior.DOWN_SOON : ScaleBehavior.DOWN;
    }

    /// The law of a pool that names none: the one for which the document has figures.
    static String usualLaw(List<MetricTarget> targets, @Nullable QueueRule queue, Slo slo) {
        if (!targets.isEmpty()) {
            return "targets";
        }
        if (!slo.isNone()) {
            return "slo";
        }
        return queue != null ? "queue" : "static";
    }

    private static void checkLaw(
            RequestFields scaling,
            String law,
            List<MetricTarget> targets,
            @Nullable QueueRule queue,
            Slo slo) {
        switch (law) {
            case "targets" -> {
                if (targets.isEmpty() && !scaling.has("targets")) {
                    scaling.problem(
                            "targets",
                            "the law targets needs at least one target",
                            "add \"targets\": [{\"metric\": \"tokens-in-queue\", \"target\":"
                                    + " 500}]");
                }
            }
            case "queue" -> {
                if (queue == null && !scaling.has("queue")) {
                    scaling.problem(
                            "queue",
                            "the law queue needs a queue rule",
                            "add \"queue\": {\"prefetch\": 10, \"throughput\": 5, \"max_lag\":"
                                    + " 100}");
                }
            }
            case "slo" -> {
                if (slo.isNone()) {
                    scaling.problem(
                            "law",
                            "the law slo needs an SLO",
                            "add \"slo\": {\"ttft_ms\": 1000}, or choose the law static");
                }
            }
            default -> {
                // Whether the law exists is the cell's to say: a plug-in may add one.
            }
        }
    }

    private List<MetricTarget> targets(RequestFields scaling) {
        var targets = new ArrayList<MetricTarget>();
        for (RequestFields each : scaling.objects("targets", MOST_ENTRIES)) {
            PoolMetric metric = metric(each);
            double target = each.number("target", 0, 0.001, MOST_TARGET);
            if (!each.has("target")) {
                each.problem("target", "a target needs a value", "add \"target\": 500");
            }
            Duration over = each.duration("window_seconds", Duration.ZERO, SECOND, DAY);
            warnings.addAll(each.unknown());
            if (metric != null && target > 0) {
                targets.add(new MetricTarget(metric, Math.round(target * 1000), over));
            }
        }
        return targets;
    }

    private static @Nullable PoolMetric metric(RequestFields target) {
        String name = target.text("metric", "", 63);
        PoolMetric metric = MetricNames.read(name);
        if (metric == null) {
            String nearest = SpellingSuggestion.to(name, MetricNames.all());
            target.problem(
                    "metric",
                    "metric must be one of %s, found \"%s\""
                            .formatted(String.join(", ", MetricNames.all()), name),
                    nearest == null ? "write one of these" : "did you mean " + nearest + "?");
        }
        return metric;
    }

    /// A queue rule; null if there is none.
    static @Nullable QueueRule queue(@Nullable RequestFields queue, List<String> warnings) {
        if (queue == null) {
            return null;
        }
        int prefetch = queue.integer("prefetch", 1, 1, 1_000_000);
        double throughput = queue.number("throughput", 1, 0.001, 1e9);
        long lag = queue.whole("max_lag", 100, 0, 1_000_000_000_000L);
        warnings.addAll(queue.unknown());
        return new QueueRule(prefetch, Math.round(throughput * 1000), lag);
    }

    private ScaleBehavior behavior(RequestFields scaling, String key, ScaleBehavior usual) {
        RequestFields given = scaling.object(key);
        if (given == null) {
            return usual;
        }
        Duration stable =
                given.duration(
                        "stabilization_seconds",
                        usual.stabilization(),
                        SECOND,
                        Duration.ofHours(1));
        String select = given.text("select", "max", 16).toLowerCase(Locale.ROOT);
        var byName = SELECTS.get(select);
        if (byName == null) {
            given.problem(
                    "select",
                    "select must be max, min or disabled, found \"" + select + "\"",
                    "leave it out for max");
        }
        List<ScaleBehavior.Step> steps = given.has("steps") ? steps(given) : usual.steps();
        warnings.addAll(given.unknown());
        return new ScaleBehavior(
                stable, byName == null ? ScaleBehavior.Select.LARGEST : byName, steps);
    }

    /// The name of a selection in documents.
    static String select(ScaleBehavior.Select select) {
        return switch (select) {
            case LARGEST -> "max";
            case SMALLEST -> "min";
            case DISABLED -> "disabled";
        };
    }

    private List<ScaleBehavior.Step> steps(RequestFields behavior) {
        var steps = new ArrayList<ScaleBehavior.Step>();
        for (RequestFields each : behavior.objects("steps", MOST_ENTRIES)) {
            int percent = each.integer("percent", 0, 1, 1_000_000);
            int replicas = each.integer("replicas", 0, 1, PoolRequest.MOST_REPLICAS);
            Duration period = positive(each, "period_seconds", Duration.ofSeconds(15));
            warnings.addAll(each.unknown());
            if (each.has("percent") == each.has("replicas")) {
                each.problem(
                        "percent",
                        "a step is a percentage or a number of replicas",
                        "write one of percent and replicas");
            } else if (percent + replicas > 0) {
                steps.add(new ScaleBehavior.Step(percent > 0, percent + replicas, period));
            }
        }
        return steps;
    }

    private static Duration positive(RequestFields fields, String key, Duration usual) {
        Duration found = fields.duration(key, usual, SECOND, DAY);
        if (found.isPositive()) {
            return found;
        }
        fields.problem(
                key, key + " must be more than 0", "the usual value is " + usual.toSeconds());
        return usual;
    }
}
