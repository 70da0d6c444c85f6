package io.gpusched.sim.whatif;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.sim.report.PrettyJson;
import io.gpusched.sim.scenario.Spans;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// Answers in words for people and in JSON for programs. Times in JSON are seconds.
public final class VerdictText {
    private static final int SHOWN = 5;

    /// The column that is flush right.
    private static final int NUMBERS = 1;

    private VerdictText() {}

    public static String plain(Verdict verdict) {
        var out = new StringBuilder();
        boolean elsewhere = !verdict.placed().equals(verdict.placing());
        line(
                out,
                "what if",
                "%s%s, where it was %s%s"
                        .formatted(
                                verdict.policy(),
                                elsewhere ? " with placement " + verdict.placing() : "",
                                verdict.was(),
                                elsewhere ? " with " + verdict.placed() : ""));
        line(
                out,
                "from",
                "batch %d, %s, to %s (%s)"
                        .formatted(
                                verdict.afterBatch(),
                                verdict.from(),
                                verdict.to(),
                                Spans.rough(Duration.between(verdict.from(), verdict.to()))));
        line(
                out,
                "history",
                "%,d batches, %,d events; the lengths of %,d runs are guessed"
                        .formatted(verdict.batches(), verdict.events(), verdict.guesses()));
        Difference parted = verdict.parted();
        if (parted == null) {
            line(out, "divergences", "0: every decision is the one that was recorded");
        } else {
            line(out, "parted", "at batch " + parted.batch() + ", " + parted.at());
            rounds(out, parted);
        }
        Starts.Summary starts = verdict.starts();
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
                                decimal(verdict.recorded().jain(), 4),
                                decimal(verdict.otherwise().jain(), 4)));
        out.append('\n');
        table(out, verdict);
        return out.toString();
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
        for (Difference each : result.first()) {
            line(out, "", "batch " + each.batch() + ", " + each.at());
            rounds(out, each);
        }
        return out.toString();
    }

    private static void rounds(StringBuilder out, Difference difference) {
        decisions(out, "as it was", difference.recorded());
        decisions(out, "otherwise", difference.otherwise());
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

    private static void table(StringBuilder out, Verdict verdict) {
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
        for (Figures.Group each : verdict.recorded().tenants()) {
            rows.add(row(each, named(each.name(), verdict.otherwise())));
        }
        // A tenant may be called what the total is called.
        rows.add(row(verdict.recorded().all(), verdict.otherwise().all()));
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

    private static List<String> row(Figures.Group each, Figures.@Nullable Group other) {
        return List.of(
                each.name(),
                Long.toString(each.jobs()),
                spans(each, other, Figures.Group::waitMean),
                spans(each, other, Figures.Group::waitP90),
                spans(each, other, Figures.Group::completionMean),
                amounts(each, other, Figures.Group::gpuHours),
                each.evictions() + " → " + (other == null ? 0 : other.evictions()),
                amounts(each, other, Figures.Group::dollars),
                amounts(each, other, Figures.Group::kilowattHours));
    }

    private static Figures.@Nullable Group named(String name, Figures figures) {
        return figures.tenants().stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static String spans(
            Figures.Group was,
            Figures.@Nullable Group would,
            Function<Figures.Group, Double> what) {
        return span(what.apply(was)) + " → " + span(would == null ? 0 : what.apply(would));
    }

    private static String span(double seconds) {
        return Spans.rough(Duration.ofMillis((long) (seconds * 1000)));
    }

    private static String amounts(
            Figures.Group was,
            Figures.@Nullable Group would,
            Function<Figures.Group, Double> what) {
        return decimal(what.apply(was), 1)
                + " → "
                + decimal(would == null ? 0 : what.apply(would), 1);
    }

    private static String decimal(double value, int places) {
        return String.format(Locale.ROOT, "%,." + places + "f", value);
    }

    public static String json(Verdict verdict) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("policy", verdict.policy());
        json.put("recorded_policy", verdict.was());
        json.put("placement", verdict.placing());
        json.put("recorded_placement", verdict.placed());
        json.put("after_batch", verdict.afterBatch());
        json.put("from", verdict.from().toString());
        json.put("to", verdict.to().toString());
        json.put("batches", verdict.batches());
        json.put("events", verdict.events());
        json.put("decisions", verdict.decisions());
        json.put("guessed_runs", verdict.guesses());
        Difference parted = verdict.parted();
        if (parted == null) {
            json.putNull("first_difference");
        } else {
            difference(json.putObject("first_difference"), parted);
        }
        starts(json.putObject("starts"), verdict.starts());
        figures(json.putObject("recorded"), verdict.recorded());
        figures(json.putObject("what_if"), verdict.otherwise());
        return PrettyJson.text(json);
    }

    public static String json(Shadowing.Picture picture) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("policy", picture.policy());
        json.put("since", picture.since().toString());
        json.put("at", picture.at().toString());
        json.put("behind_seconds", picture.behind().toMillis() / 1000.0);
        json.put("batches", picture.batches());
        json.put("guessed_runs", picture.guesses());
        Difference parted = picture.parted();
        if (parted == null) {
            json.putNull("first_difference");
        } else {
            difference(json.putObject("first_difference"), parted);
        }
        starts(json.putObject("starts"), picture.starts());
        figures(json.putObject("live"), picture.live());
        figures(json.putObject("shadow"), picture.shadow());
        return PrettyJson.text(json);
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

    private static void difference(ObjectNode json, Difference difference) {
        json.put("batch", difference.batch());
        json.put("at", difference.at().toString());
        var recorded = json.putArray("recorded");
        difference.recorded().forEach(recorded::add);
        var otherwise = json.putArray("what_if");
        difference.otherwise().forEach(otherwise::add);
    }

    private static void starts(ObjectNode json, Starts.Summary starts) {
        json.put("same", starts.same());
        json.put("earlier", starts.earlier());
        json.put("later", starts.later());
        json.put("seconds_gained", starts.secondsGained());
        json.put("only_recorded", starts.onlyRecorded());
        json.put("only_what_if", starts.onlyOtherwise());
        var last = json.putArray("last");
        for (Starts.Other each : starts.last()) {
            ObjectNode other = last.addObject();
            other.put("job_id", each.job().toString());
            other.put("recorded", each.recorded().toString());
            other.put("what_if", each.otherwise().toString());
        }
    }

    private static void figures(ObjectNode json, Figures figures) {
        json.put("jain", figures.jain());
        group(json.putObject("all"), figures.all());
        var tenants = json.putObject("tenants");
        figures.tenants().forEach(group -> group(tenants.putObject(group.name()), group));
    }

    private static void group(ObjectNode json, Figures.Group group) {
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
