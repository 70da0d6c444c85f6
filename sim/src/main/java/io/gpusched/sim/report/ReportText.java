package io.gpusched.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.core.model.Plurals;
import io.gpusched.sim.scenario.ScenarioDurations;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;

/// Writes a report as text for people and as JSON for programs. Durations in JSON are seconds.
public final class ReportText {
    private ReportText() {}

    public static String plain(RunReport runReport) {
        var out = new StringBuilder();
        RunReport.Group all = runReport.all();
        line(out, "scenario", runReport.scenario());
        line(out, "policy", runReport.policy() + "   seed " + runReport.seed());
        line(out, "jobs", jobs(all));
        line(out, "makespan", ScenarioDurations.rough(runReport.makespan()));
        line(
                out,
                "GPU use",
                percent(runReport.utilisation())
                        + " of the available GPU time, "
                        + decimal(all.gpuHours())
                        + " GPU hours");
        line(
                out,
                "interrupted",
                Plurals.of(all.preemptions(), "preemption")
                        + ", "
                        + Plurals.of(all.losses(), "run")
                        + " lost with a node, "
                        + decimal(runReport.wastedGpuHours())
                        + " GPU hours repeated");
        out.append('\n');
        table(out, runReport);
        out.append('\n');
        RunReport.Effort effort = runReport.effort();
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

    private static String jobs(RunReport.Group group) {
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

    private static void table(StringBuilder out, RunReport runReport) {
        var groups = new ArrayList<>(runReport.tenants());
        groups.add(runReport.all());
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
        for (RunReport.Group group : groups) {
            out.append(
                    form.formatted(
                            group.name(),
                            group.submitted(),
                            ScenarioDurations.rough(group.waiting().mean()),
                            ScenarioDurations.rough(group.waiting().median()),
                            ScenarioDurations.rough(group.waiting().p90()),
                            ScenarioDurations.rough(group.waiting().p99()),
                            ScenarioDurations.rough(group.completion().mean()),
                            ScenarioDurations.rough(group.completion().p90()),
                            decimal(group.gpuHours())));
        }
    }

    public static String json(RunReport runReport) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("scenario", runReport.scenario());
        json.put("policy", runReport.policy());
        json.put("seed", runReport.seed());
        json.put("makespan_seconds", seconds(runReport.makespan()));
        json.put("gpu_utilization", runReport.utilisation());
        json.put("wasted_gpu_hours", runReport.wastedGpuHours());
        group(json.putObject("all"), runReport.all());
        var tenants = json.putObject("tenants");
        runReport.tenants().forEach(group -> group(tenants.putObject(group.name()), group));
        var effort = json.putObject("effort");
        effort.put("batches", runReport.effort().batches());
        effort.put("events", runReport.effort().events());
        effort.put("turns", runReport.effort().turns());
        effort.put("nodes_looked_at", runReport.effort().nodesLookedAt());
        effort.put("candidates_scored", runReport.effort().candidatesScored());
        return PrettyJson.text(json);
    }

    private static void group(ObjectNode json, RunReport.Group group) {
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

    private static void spread(ObjectNode json, DurationSpread durationSpread) {
        json.put("count", durationSpread.count());
        json.put("mean", seconds(durationSpread.mean()));
        json.put("median", seconds(durationSpread.median()));
        json.put("p90", seconds(durationSpread.p90()));
        json.put("p99", seconds(durationSpread.p99()));
        json.put("max", seconds(durationSpread.max()));
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
