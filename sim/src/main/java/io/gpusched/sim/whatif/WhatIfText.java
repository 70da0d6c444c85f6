package io.gpusched.sim.whatif;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.sim.report.PrettyJson;
import io.gpusched.sim.scenario.ScenarioDurations;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// Writes the answer to a what-if as text for people and as JSON for programs. Times in JSON are
/// seconds.
public final class WhatIfText {
    private static final int SHOWN = 5;

    /// The column that is flush right.
    private static final int NUMBERS = 1;

    private WhatIfText() {}

    public static String plain(WhatIfResult whatIfResult) {
        var out = new StringBuilder();
        boolean elsewhere = !whatIfResult.placed().equals(whatIfResult.placing());
        line(
                out,
                "what if",
                "%s%s, where it was %s%s"
                        .formatted(
                                whatIfResult.policy(),
                                elsewhere ? " with placement " + whatIfResult.placing() : "",
                                whatIfResult.was(),
                                elsewhere ? " with " + whatIfResult.placed() : ""));
        line(
                out,
                "from",
                "batch %d, %s, to %s (%s)"
                        .formatted(
                                whatIfResult.afterBatch(),
                                whatIfResult.from(),
                                whatIfResult.to(),
                                ScenarioDurations.rough(
                                        Duration.between(whatIfResult.from(), whatIfResult.to()))));
        line(
                out,
                "history",
                "%,d batches, %,d events; the lengths of %,d runs are guessed"
                        .formatted(
                                whatIfResult.batches(),
                                whatIfResult.events(),
                                whatIfResult.guesses()));
        DecisionDifference parted = whatIfResult.parted();
        if (parted == null) {
            line(out, "divergences", "0: every decision is the one that was recorded");
        } else {
            line(out, "parted", "at batch " + parted.batch() + ", " + parted.at());
            rounds(out, parted);
        }
        pools(out, whatIfResult.pools());
        StartComparison.Summary starts = whatIfResult.starts();
        line(
                out,
                "starts",
                "%,d at the same time, %,d earlier, %,d later; %,d only as it was, %,d only now"
                        .formatted(
                                starts.same(),
                                starts.earlier(),
                                starts.later(),
                                starts.onlyRecorded(),
                                starts.onlyOtherwise()));
        line(
                out,
                "fairness",
                "%s → %s (Jain's index of how far tenants were served)"
                        .formatted(
                                decimal(whatIfResult.recorded().jain(), 4),
                                decimal(whatIfResult.otherwise().jain(), 4)));
        out.append('\n');
        table(out, whatIfResult);
        return out.toString();
    }

    private static void pools(StringBuilder out, List<String> pools) {
        if (!pools.isEmpty()) {
            line(out, "pools", "kept their recorded sizes: " + String.join(", ", pools));
        }
    }

    public static String plain(Verification.Result result) {
        var out = new StringBuilder();
        line(
                out,
                "decided again",
                "%,d batches, %,d decisions".formatted(result.batches(), result.decisions()));
        line(
                out,
                "divergences",
                result.differing() == 0
                        ? "0: every decision is the one that was recorded"
                        : "%,d batches came to something else".formatted(result.differing()));
        if (result.differing() > 0) {
            line(out, "", "another release may have decided by other rules than this one");
        }
        for (DecisionDifference each : result.first()) {
            line(out, "", "batch " + each.batch() + ", " + each.at());
            rounds(out, each);
        }
        return out.toString();
    }

    private static void rounds(StringBuilder out, DecisionDifference decisionDifference) {
        decisions(out, "as it was", decisionDifference.recorded());
        decisions(out, "otherwise", decisionDifference.otherwise());
    }

    private static void decisions(StringBuilder out, String whose, List<String> all) {
        if (all.isEmpty()) {
            line(out, "", whose + ": nothing");
        }
        all.stream().limit(SHOWN).forEach(each -> line(out, "", whose + ": " + each));
        if (all.size() > SHOWN) {
            line(out, "", whose + ": and more");
        }
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append("%-14s%s\n".formatted(name, value));
    }

    private static void table(StringBuilder out, WhatIfResult whatIfResult) {
        var rows = new ArrayList<List<String>>();
        rows.add(
                List.of(
                        "",
                        "jobs",
                        "wait mean",
                        "wait p90",
                        "completion mean",
                        "GPU hours",
                        "evictions",
                        "cost $",
                        "energy kWh"));
        for (PeriodFigures.Group each : whatIfResult.recorded().tenants()) {
            rows.add(row(each, named(each.name(), whatIfResult.otherwise())));
        }
        // A tenant may be called what the total is called.
        rows.add(row(whatIfResult.recorded().all(), whatIfResult.otherwise().all()));
        append(out, rows);
    }

    /// Every column is as wide as its longest cell: hours in the thousands keep clear of the next.
    private static void append(StringBuilder out, List<List<String>> rows) {
        int columns = rows.getFirst().size();
        var widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String gap = " ".repeat(widths[i] - row.get(i).length());
                String cell = i == NUMBERS ? gap + row.get(i) : row.get(i) + gap;
                line.append(i == 0 ? "" : "  ").append(cell);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static List<String> row(PeriodFigures.Group each, PeriodFigures.@Nullable Group other) {
        return List.of(
                each.name(),
                Long.toString(each.jobs()),
                spans(each, other, PeriodFigures.Group::waitMean),
                spans(each, other, PeriodFigures.Group::waitP90),
                spans(each, other, PeriodFigures.Group::completionMean),
                amounts(each, other, PeriodFigures.Group::gpuHours),
                each.evictions() + " → " + (other == null ? 0 : other.evictions()),
                amounts(each, other, PeriodFigures.Group::dollars),
                amounts(each, other, PeriodFigures.Group::kilowattHours));
    }

    private static PeriodFigures.@Nullable Group named(String name, PeriodFigures periodFigures) {
        return periodFigures.tenants().stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static String spans(
            PeriodFigures.Group was,
            PeriodFigures.@Nullable Group would,
            Function<PeriodFigures.Group, Double> what) {
        return span(what.apply(was)) + " → " + span(would == null ? 0 : what.apply(would));
    }

    private static String span(double seconds) {
        return ScenarioDurations.rough(Duration.ofMillis((long) (seconds * 1000)));
    }

    private static String amounts(
            PeriodFigures.Group was,
            PeriodFigures.@Nullable Group would,
            Function<PeriodFigures.Group, Double> what) {
        return decimal(what.apply(was), 1)
                + " → "
                + decimal(would == null ? 0 : what.apply(would), 1);
    }

    private static String decimal(double value, int places) {
        return String.format(Locale.ROOT, "%,." + places + "f", value);
    }

    public static String json(WhatIfResult whatIfResult) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("policy", whatIfResult.policy());
        json.put("recorded_policy", whatIfResult.was());
        json.put("placement", whatIfResult.placing());
        json.put("recorded_placement", whatIfResult.placed());
        json.put("after_batch", whatIfResult.afterBatch());
        json.put("from", whatIfResult.from().toString());
        json.put("to", whatIfResult.to().toString());
        json.put("batches", whatIfResult.batches());
        json.put("events", whatIfResult.events());
        json.put("decisions", whatIfResult.decisions());
        json.put("guessed_runs", whatIfResult.guesses());
        pools(json, whatIfResult.pools());
        DecisionDifference parted = whatIfResult.parted();
        if (parted == null) {
            json.putNull("first_difference");
        } else {
            difference(json.putObject("first_difference"), parted);
        }
        starts(json.putObject("starts"), whatIfResult.starts());
        figures(json.putObject("recorded"), whatIfResult.recorded());
        figures(json.putObject("what_if"), whatIfResult.otherwise());
        return PrettyJson.text(json);
    }

    public static String json(ShadowReplay.Picture picture) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("policy", picture.policy());
        json.put("since", picture.since().toString());
        json.put("at", picture.at().toString());
        json.put("behind_seconds", picture.behind().toMillis() / 1000.0);
        json.put("batches", picture.batches());
        json.put("guessed_runs", picture.guesses());
        pools(json, picture.pools());
        DecisionDifference parted = picture.parted();
        if (parted == null) {
            json.putNull("first_difference");
        } else {
            difference(json.putObject("first_difference"), parted);
        }
        starts(json.putObject("starts"), picture.starts());
        figures(json.putObject("live"), picture.live());
        figures(json.putObject("shadow"), picture.shadow());
        ObjectNode differences = json.putObject("differences");
        PairedDifferences paired = picture.differences();
        interval(differences.putObject("wait_seconds"), paired.waiting());
        interval(differences.putObject("completion_seconds"), paired.completion());
        interval(differences.putObject("slowdown"), paired.slowdown());
        return PrettyJson.text(json);
    }

    private static void pools(ObjectNode json, List<String> pools) {
        var names = json.putArray("pools_at_recorded_sizes");
        pools.forEach(names::add);
    }

    private static void interval(ObjectNode json, MeanInterval interval) {
        json.put("jobs", interval.jobs());
        json.put("mean", interval.mean());
        if (interval.isKnown()) {
            json.put("low", interval.low());
            json.put("high", interval.high());
        } else {
            json.putNull("low");
            json.putNull("high");
        }
        json.put("verdict", interval.verdict().name().toLowerCase(Locale.ROOT));
    }

    public static String json(Verification.Result result) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("batches", result.batches());
        json.put("decisions", result.decisions());
        json.put("divergences", result.differing());
        var first = json.putArray("first");
        result.first().forEach(each -> difference(first.addObject(), each));
        return PrettyJson.text(json);
    }

    private static void difference(ObjectNode json, DecisionDifference decisionDifference) {
        json.put("batch", decisionDifference.batch());
        json.put("at", decisionDifference.at().toString());
        var recorded = json.putArray("recorded");
        decisionDifference.recorded().forEach(recorded::add);
        var otherwise = json.putArray("what_if");
        decisionDifference.otherwise().forEach(otherwise::add);
    }

    private static void starts(ObjectNode json, StartComparison.Summary starts) {
        json.put("same", starts.same());
        json.put("earlier", starts.earlier());
        json.put("later", starts.later());
        json.put("seconds_gained", starts.secondsGained());
        json.put("only_recorded", starts.onlyRecorded());
        json.put("only_what_if", starts.onlyOtherwise());
        var last = json.putArray("last");
        for (StartComparison.Other each : starts.last()) {
            ObjectNode other = last.addObject();
            other.put("job_id", each.job().toString());
            other.put("recorded", each.recorded().toString());
            other.put("what_if", each.otherwise().toString());
        }
    }

    private static void figures(ObjectNode json, PeriodFigures periodFigures) {
        json.put("jain", periodFigures.jain());
        group(json.putObject("all"), periodFigures.all());
        var tenants = json.putObject("tenants");
        periodFigures.tenants().forEach(group -> group(tenants.putObject(group.name()), group));
    }

    private static void group(ObjectNode json, PeriodFigures.Group group) {
        json.put("jobs", group.jobs());
        json.put("started", group.started());
        json.put("ended", group.ended());
        json.put("wait_mean_seconds", group.waitMean());
        json.put("wait_median_seconds", group.waitMedian());
        json.put("wait_p90_seconds", group.waitP90());
        json.put("completion_mean_seconds", group.completionMean());
        json.put("gpu_hours", group.gpuHours());
        json.put("wasted_gpu_hours", group.wastedGpuHours());
        json.put("evictions", group.evictions());
        json.put("losses", group.losses());
        json.put("cost_dollars", group.dollars());
        json.put("energy_kwh", group.kilowattHours());
        json.put("served", group.served());
    }
}
