package io.gpusched.wire.pool;

import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.RequestFields;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Reads the parts `cost`, `carbon`, `locality` and `serving` of a pool's document.
final class RulesReader {
    static final String MIGRATE = "migrate-to-on-demand";

    /// How much `low`, `medium` and `high` count in the score of a node, in percent.
    private static final int LOW = 10;

    private static final int MEDIUM = 30;
    private static final int HIGH = 60;

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MOST = 64;
    private static final int LONGEST = 253;
    private static final int LAST_PORT = 65_535;
    private static final double MOST_DOLLARS = 1e9;

    private final List<String> warnings;

    RulesReader(List<String> warnings) {
        this.warnings = warnings;
    }

    CostRules cost(@Nullable RequestFields cost) {
        if (cost == null) {
            return CostRules.NONE;
        }
        String action = cost.text("on_interruption", "none", 63);
        if (!List.of(MIGRATE, "none").contains(action)) {
            cost.problem(
                    "on_interruption",
                    "on_interruption must be %s or none, found \"%s\"".formatted(MIGRATE, action),
                    "leave it out for none");
        }
        var rules =
                new CostRules(
                        Math.round(cost.number("max_cost_per_hour", 0, 0, MOST_DOLLARS) * 1e6),
                        cost.integer("slo_headroom_ms", 0, 0, 3_600_000),
                        cost.integer("spot_percent", 0, 0, 100),
                        cost.texts("spot_types", MOST, LONGEST),
                        cost.integer("max_interruptions", 0, 0, CostRules.MOST_INTERRUPTIONS),
                        cost.duration(
                                "interruption_window_seconds",
                                CostRules.NONE.window(),
                                SECOND,
                                DAY.multipliedBy(7)),
                        action.equals(MIGRATE),
                        cost.text("fallback_model", "", LONGEST),
                        cost.flag("fallback_on_cost", false),
                        cost.flag("fallback_on_slo", false),
                        cost.text("larger_model", "", LONGEST));
        if ((rules.fallbackOnCost() || rules.fallbackOnSlo()) && rules.fallbackModel().isEmpty()) {
            cost.problem(
                    "fallback_model",
                    "a fallback is asked for and no model is named",
                    "name the smaller model, or leave fallback_on_cost and fallback_on_slo out");
        }
        warnings.addAll(cost.unknown());
        return rules;
    }

    CarbonRules carbon(@Nullable RequestFields carbon) {
        if (carbon == null) {
            return CarbonRules.NONE;
        }
        List<String> regions = carbon.texts("preferred_regions", MOST, LONGEST);
        int most = carbon.integer("max_carbon_intensity", 0, 0, 100_000);
        String hours = carbon.text("clean_hours", "", 32);
        int from = -1;
        int minutes = 0;
        if (!hours.isBlank()) {
            String[] ends = hours.split("-", -1);
            from = ScheduleReader.minuteOf(ends[0]);
            int to = ends.length == 2 ? ScheduleReader.minuteOf(ends[1]) : -1;
            if (from < 0 || to < 0 || from == to) {
                carbon.problem(
                        "clean_hours",
                        "clean_hours must be two times of the day, found "
                                + new JsonTree.Text(hours).shown(),
                        "write for example \"09:00-17:00\" in UTC");
                from = -1;
            } else {
                from %= 1_440;
                int until = Math.floorMod(to - from, 1_440);
                minutes = until == 0 ? 1_440 : until;
            }
        }
        warnings.addAll(carbon.unknown());
        return new CarbonRules(regions, most, from, minutes);
    }

    LocalityRules locality(@Nullable RequestFields locality) {
        if (locality == null) {
            return LocalityRules.NONE;
        }
        String label = locality.text("preload_label", "", LONGEST * 2);
        if (!label.isEmpty() && label.indexOf('=') < 1) {
            locality.problem(
                    "preload_label",
                    "preload_label must be a key and a value, found "
                            + new JsonTree.Text(label).shown(),
                    "write for example \"node-pool=gpu-primary\"");
        }
        var rules =
                new LocalityRules(
                        locality.texts("near", MOST, LONGEST),
                        weight(locality),
                        locality.texts("apart", MOST, LONGEST),
                        (int) Math.round(locality.number("cache_hit_weight", 0, 0, 1) * 100),
                        locality.integer("min_cached_replicas", 0, 0, PoolRequest.MOST_REPLICAS),
                        label);
        warnings.addAll(locality.unknown());
        return rules;
    }

    /// `low`, `medium`, `high`, or a number from 0 to 1.
    private static int weight(RequestFields locality) {
        if (locality.value("weight") instanceof JsonTree.Text(String text)) {
            switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "low" -> {
                    return LOW;
                }
                case "medium" -> {
                    return MEDIUM;
                }
                case "high" -> {
                    return HIGH;
                }
                default -> {
                    // A number in quotes, or a problem.
                }
            }
        }
        return (int) Math.round(locality.number("weight", 0, 0, 1) * 100);
    }

    /// The form of a weight in documents: its name, or its number.
    static JsonTree weight(int percent) {
        return switch (percent) {
            case LOW -> new JsonTree.Text("low");
            case MEDIUM -> new JsonTree.Text("medium");
            case HIGH -> new JsonTree.Text("high");
            default ->
                    percent % 100 == 0
                            ? new JsonTree.Whole(percent / 100)
                            : new JsonTree.Fraction(percent / 100.0);
        };
    }

    ServingRules serving(@Nullable RequestFields serving, int max) {
        ServingRules usual = ServingRules.NONE;
        if (serving == null) {
            return usual;
        }
        int port = serving.integer("port", 0, 0, LAST_PORT);
        if (port > 0 && port + max - 1 > LAST_PORT) {
            serving.problem(
                    "port",
                    "%d replicas from port %d on need ports beyond %d"
                            .formatted(max, port, LAST_PORT),
                    "choose a port of at most " + Math.max(1, LAST_PORT - max + 1));
        }
        var rules =
                new ServingRules(
                        port,
                        path(serving, "health_path", usual.healthPath()),
                        path(serving, "metrics_path", usual.metricsPath()),
                        serving.duration("drain_seconds", usual.drain(), SECOND, DAY),
                        serving.text("session_header", usual.affinityHeader(), LONGEST),
                        serving.duration(
                                "session_ttl_seconds",
                                usual.affinityFor(),
                                SECOND,
                                DAY.multipliedBy(30)),
                        serving.duration("load_seconds", usual.loadTime(), SECOND, DAY),
                        isRolling(serving));
        warnings.addAll(serving.unknown());
        return rules;
    }

    private static boolean isRolling(RequestFields serving) {
        String update = serving.text("update", "rolling", LONGEST);
        if (!List.of("rolling", "none").contains(update)) {
            serving.problem(
                    "update",
                    "update must be rolling or none, found " + new JsonTree.Text(update).shown(),
                    "rolling replaces replicas one after another when what they run changes");
        }
        return !update.equals("none");
    }

    private static String path(RequestFields serving, String key, String usual) {
        String path = serving.text(key, usual, 1_024);
        if (!path.isEmpty() && !path.startsWith("/")) {
            serving.problem(
                    key,
                    key + " must begin with /, found " + new JsonTree.Text(path).shown(),
                    "the usual value is " + usual);
            return usual;
        }
        return path;
    }
}
