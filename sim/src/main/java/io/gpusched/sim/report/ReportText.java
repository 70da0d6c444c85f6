package io.gpusched.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.core.model.Counted;
import io.gpusched.sim.scenario.Spans;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;

/// A report as text for people and as JSON for programs. Durations in JSON are seconds.
public final class ReportText {
    private ReportText() {}

    public static String plain(Report report) {
        var out = new StringBuilder();
        Report.Group all = report.all();
        line(out, "scenario", report.scenario());
        line(out, "policy", report.policy() + "   seed " + report.seed());
        line(out, "jobs", jobs(all));
        line(out, "makespan", Spans.rough(report.makespan()));
        line(
                out,
                "GPU use",
                percent(report.utilisation())
                        + " of the available GPU time, "
                        + decimal(all.gpuHours())
                        + " GPU hours");
        line(
                out,
                "interrupted",
                Counted.of(all.preemptions(), "preemption")
                        + ", "
                        + Counted.of(all.losses(), "run")
                        + " lost with a node, "
                        + decimal(report.wastedGpuHours())
                        + " GPU hours repeated");
        out.append('\n');
        table(out, report);
        out.append('\n');
        Report.Effort effort = report.effort();
        line(
                out,
                "effort",
                "%,d batches, %,d events, %,d turns, %,d nodes looked at, %,d candidates scored"
                        .formatted(
                                effort.batches(),
                                effort.events(),
                                effort.turns(),
                                effort.nodesLookedAt(),
                                effort.candidatesScored()));
        return out.toString();
    }

    private static String jobs(Report.Group group) {
        var parts = new ArrayList<String>();
        parts.add(group.submitted() + " submitted");
        parts.add(group.completed() + " completed");
        if (group.failed() > 0) {
            parts.add(group.failed() + " failed");
        }
        if (group.cancelled() > 0) {
            parts.add(group.cancelled() + " cancelled");
        }
        if (group.unfinished() > 0) {
            parts.add(group.unfinished() + " unfinished");
        }
        return String.join(", ", parts);
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append("%-12s %s\n".formatted(name, value));
    }

    private static void table(StringBuilder out, Report report) {
        var groups = new ArrayList<>(report.tenants());
        groups.add(report.all());
        int width = groups.stream().mapToInt(group -> group.name().length()).max().orElse(0);
        String form = "%-" + Math.max(6, width) + "s %7s %9s %9s %9s %9s %10s %9s %9s\n";
        out.append(
                form.formatted(
                        "",
                        "jobs",
                        "wait mean",
                        "median",
                        "p90",
                        "p99",
                        "done mean",
                        "done p90",
                        "GPU hours"));
        for (Report.Group group : groups) {
            out.append(
                    form.formatted(
                            group.name(),
                            group.submitted(),
                            Spans.rough(group.waiting().mean()),
                            Spans.rough(group.waiting().median()),
                            Spans.rough(group.waiting().p90()),
                            Spans.rough(group.waiting().p99()),
                            Spans.rough(group.completion().mean()),
                            Spans.rough(group.completion().p90()),
                            decimal(group.gpuHours())));
        }
    }

    public static String json(Report report) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("scenario", report.scenario());
        json.put("policy", report.policy());
        json.put("seed", report.seed());
        json.put("makespan_seconds", seconds(report.makespan()));
        json.put("gpu_utilization", report.utilisation());
        json.put("wasted_gpu_hours", report.wastedGpuHours());
        group(json.putObject("all"), report.all());
        var tenants = json.putObject("tenants");
        report.tenants().forEach(group -> group(tenants.putObject(group.name()), group));
        var effort = json.putObject("effort");
        effort.put("batches", report.effort().batches());
        effort.put("events", report.effort().events());
        effort.put("turns", report.effort().turns());
        effort.put("nodes_looked_at", report.effort().nodesLookedAt());
        effort.put("candidates_scored", report.effort().candidatesScored());
        return PrettyJson.text(json);
    }

    private static void group(ObjectNode json, Report.Group group) {
        json.put("submitted", group.submitted());
        json.put("completed", group.completed());
        json.put("failed", group.failed());
        json.put("cancelled", group.cancelled());
        json.put("unfinished", group.unfinished());
        json.put("preemptions", group.preemptions());
        json.put("losses", group.losses());
        json.put("gpu_hours", group.gpuHours());
        spread(json.putObject("wait_seconds"), group.waiting());
        spread(json.putObject("completion_seconds"), group.completion());
    }

    private static void spread(ObjectNode json, Spread spread) {
        json.put("count", spread.count());
        json.put("mean", seconds(spread.mean()));
        json.put("median", seconds(spread.median()));
        json.put("p90", seconds(spread.p90()));
        json.put("p99", seconds(spread.p99()));
        json.put("max", seconds(spread.max()));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }
}
