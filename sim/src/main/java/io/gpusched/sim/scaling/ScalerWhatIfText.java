package io.gpusched.sim.scaling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.core.pool.Slo;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.report.PrettyJson;
import io.gpusched.sim.scenario.ScenarioDurations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Writes what other laws would have done as text for people, as a Markdown page and as JSON for
/// programs.
public final class ScalerWhatIfText {
    private static final List<String> COLUMNS =
            List.of(
                    "law",
                    "attained",
                    "GPU hours",
                    "added",
                    "removed",
                    "TTFT p50",
                    "p95",
                    "p99",
                    "cost $");

    private ScalerWhatIfText() {}

    public static String plain(ScalerWhatIfResult result) {
        var out = new StringBuilder();
        for (List<String> line : facts(result)) {
            out.append("%-14s%s\n".formatted(line.get(0), line.get(1)));
        }
        out.append('\n');
        table(rows(result), out);
        out.append('\n');
        for (String line : verdict(result)) {
            out.append(line).append('\n');
        }
        return out.toString();
    }

    /// A page of results.
    public static String page(ScalerWhatIfResult result) {
        var out = new StringBuilder("# What other laws would have done with pool ");
        out.append(result.record().pool().id()).append("\n\n");
        for (List<String> line : facts(result)) {
            out.append("- ").append(line.get(0)).append(": ").append(line.get(1)).append('\n');
        }
        out.append('\n');
        List<List<String>> rows = rows(result);
        for (int i = 0; i < rows.size(); i++) {
            out.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            out.append(i == 0 ? "|---".repeat(COLUMNS.size()) + "|\n" : "");
        }
        out.append('\n');
        out.append(String.join("\n", verdict(result))).append('\n');
        return out.toString();
    }

    private static List<List<String>> facts(ScalerWhatIfResult result) {
        PoolRecord record = result.record();
        var facts = new ArrayList<List<String>>();
        facts.add(
                List.of(
                        "pool",
                        text(
                                "%s with the law %s, %d to %d replicas of %s GPUs",
                                record.pool().id(),
                                record.pool().scaling().law(),
                                record.pool().min(),
                                record.pool().max(),
                                gpus(record.milliGpus()))));
        facts.add(
                List.of(
                        "span",
                        text(
                                "%s to %s (%s), %,d requests in %,d reports",
                                record.from(),
                                record.to(),
                                ScenarioDurations.rough(
                                        Duration.between(record.from(), record.to())),
                                result.requests(),
                                record.reports().size())));
        facts.add(List.of("objectives", objectives(result.measure())));
        facts.add(
                List.of(
                        "requests",
                        text(
                                "%.0f prompt tokens and %.0f tokens of answer on average",
                                result.prompt(), result.output())));
        facts.add(
                List.of(
                        "replicas",
                        text(
                                "an iteration takes %.1f ms, %.2f ms more a request and %.3f ms a"
                                        + " prompt token; %s to load",
                                result.speed().cost().fixed(),
                                result.speed().cost().running(),
                                result.speed().cost().prompt(),
                                ScenarioDurations.rough(record.loadTime()))));
        facts.add(List.of("capacity", rooms(record)));
        return facts;
    }

    private static String gpus(long milli) {
        return milli % 1000 == 0
                ? Long.toString(milli / 1000)
                : String.format(Locale.ROOT, "%.2f", milli / 1000.0);
    }

    private static String objectives(Slo slo) {
        if (slo.isNone()) {
            return "none";
        }
        var parts = new ArrayList<String>();
        if (slo.firstTokenMillis() > 0) {
            parts.add("first token in " + slo.firstTokenMillis() + " ms");
        }
        if (slo.interTokenMillis() > 0) {
            parts.add("next tokens every " + slo.interTokenMillis() + " ms");
        }
        if (slo.tokensPerSecond() > 0) {
            parts.add(slo.tokensPerSecond() + " tokens/s");
        }
        return String.join(", ", parts) + text(" for %.1f %%", slo.permille() / 10.0);
    }

    private static String rooms(PoolRecord record) {
        int least = record.rooms().stream().mapToInt(PoolCase.RoomAt::replicas).min().orElse(0);
        int most = record.rooms().stream().mapToInt(PoolCase.RoomAt::replicas).max().orElse(0);
        return least == most
                ? text("there was room for %d replicas beside other jobs, as recorded", most)
                : text(
                        "there was room for %d to %d replicas beside other jobs, as recorded",
                        least, most);
    }

    private static List<List<String>> rows(ScalerWhatIfResult result) {
        var rows = new ArrayList<List<String>>();
        rows.add(COLUMNS);
        PoolRecord.Figures real = result.record().figures();
        boolean measured = !result.record().pool().slo().isNone();
        rows.add(
                List.of(
                        "recorded",
                        percent(measured ? real.percent() : Double.NaN),
                        text("%,.2f", real.gpuHours()),
                        Integer.toString(real.added()),
                        Integer.toString(real.removed()),
                        "-",
                        "-",
                        "-",
                        real.dollars() == 0 ? "-" : text("%,.2f", real.dollars())));
        rows.add(row(result.replayed()));
        result.tried().forEach(law -> rows.add(row(law)));
        return rows;
    }

    private static List<String> row(LawFigures law) {
        return List.of(
                law.law(),
                percent(law.percent()),
                text("%,.2f", law.gpuHours()),
                Integer.toString(law.added()),
                Integer.toString(law.removed()),
                seconds(law.firstToken().p50()),
                seconds(law.firstToken().p95()),
                seconds(law.firstToken().p99()),
                Double.isNaN(law.dollars()) ? "-" : text("%,.2f", law.dollars()));
    }

    private static String percent(double value) {
        return Double.isNaN(value) ? "-" : text("%.2f %%", value);
    }

    private static String seconds(double value) {
        return Double.isInfinite(value) ? "never" : text("%.2f s", value);
    }

    private static List<String> verdict(ScalerWhatIfResult result) {
        ModelCheck check = result.check();
        var lines = new ArrayList<String>();
        if (check.isTrusted()) {
            lines.add(
                    text(
                            "model check: the recorded law comes out %s%s of what was recorded",
                            Double.isNaN(check.points())
                                    ? ""
                                    : text(
                                            "within %.1f points attained and ",
                                            Math.abs(check.points())),
                            text("within %.1f %% GPU-hours", 100 * Math.abs(check.part()))));
        } else {
            lines.add("model check: this comparison cannot be trusted:");
            check.reasons().forEach(reason -> lines.add("- " + reason));
        }
        check.notes().forEach(note -> lines.add("note: " + note));
        return lines;
    }

    private static void table(List<List<String>> rows, StringBuilder out) {
        var widths = new int[COLUMNS.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String gap = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + gap : "  " + gap + row.get(i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }

    public static String json(ScalerWhatIfResult result) {
        PoolRecord record = result.record();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("pool", record.pool().id().name());
        json.put("from", record.from().toString());
        json.put("to", record.to().toString());
        json.put("requests", result.requests());
        json.put("reports", record.reports().size());
        json.put("covered", result.covered());
        json.put("prompt_tokens_mean", result.prompt());
        json.put("output_tokens_mean", result.output());
        json.put("load_seconds", record.loadTime().toMillis() / 1000.0);
        json.put("loads_observed", record.loads());
        ObjectNode speed = json.putObject("iteration_ms");
        speed.put("fixed", result.speed().cost().fixed());
        speed.put("per_request", result.speed().cost().running());
        speed.put("per_prompt_token", result.speed().cost().prompt());
        speed.put("observed", result.speed().observed());
        PoolRecord.Figures real = record.figures();
        ObjectNode recorded = json.putObject("recorded");
        recorded.put("law", record.pool().scaling().law());
        number(
                recorded,
                "attained_percent",
                record.pool().slo().isNone() ? Double.NaN : real.percent());
        recorded.put("gpu_hours", real.gpuHours());
        recorded.put("added", real.added());
        recorded.put("removed", real.removed());
        number(recorded, "cost_dollars", real.dollars() == 0 ? Double.NaN : real.dollars());
        figures(json.putObject("replayed"), result.replayed());
        var laws = json.putArray("laws");
        result.tried().forEach(law -> figures(laws.addObject(), law));
        ObjectNode check = json.putObject("check");
        check.put("trusted", result.check().isTrusted());
        number(check, "attained_points", result.check().points());
        number(check, "gpu_hours_part", result.check().part());
        check.put("most_points", ModelCheck.MOST_POINTS);
        check.put("most_part", ModelCheck.MOST_PART);
        var reasons = check.putArray("reasons");
        result.check().reasons().forEach(reasons::add);
        var notes = check.putArray("notes");
        result.check().notes().forEach(notes::add);
        return PrettyJson.text(json);
    }

    private static void figures(ObjectNode json, LawFigures law) {
        json.put("law", law.law());
        number(json, "attained_percent", law.percent());
        json.put("gpu_hours", law.gpuHours());
        json.put("added", law.added());
        json.put("removed", law.removed());
        number(json, "ttft_p50_seconds", law.firstToken().p50());
        number(json, "ttft_p95_seconds", law.firstToken().p95());
        number(json, "ttft_p99_seconds", law.firstToken().p99());
        number(json, "cost_dollars", law.dollars());
    }

    /// What is not known is null.
    private static void number(ObjectNode json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, value);
        } else {
            json.putNull(name);
        }
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
