package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Metric;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The most important metrics as a text table.
public final class OverviewTable {
    private static final List<Metric> SHOWN =
            List.of(
                    Metric.WAIT_MEAN,
                    Metric.WAIT_P90,
                    Metric.COMPLETION_MEAN,
                    Metric.SLOWDOWN_MEAN,
                    Metric.UTILISATION,
                    Metric.FINISH_MEAN,
                    Metric.PREEMPTIONS,
                    Metric.ENERGY);

    private OverviewTable() {}

    /// Means over the seeds, one line for each policy on each workload.
    public static String of(List<RunResult> answers) {
        List<ResultGroup> groups = ResultGroup.of(answers);
        List<Metric> shown = new ArrayList<>(SHOWN);
        if (groups.stream()
                .anyMatch(resultGroup -> resultGroup.policyVariant().waitsForCleanPower())) {
            shown.add(Metric.CARBON);
        }
        int width =
                groups.stream()
                        .mapToInt(resultGroup -> resultGroup.name().length())
                        .max()
                        .orElse(0);
        var text = new StringBuilder();
        String course = "";
        for (ResultGroup resultGroup : groups) {
            if (!resultGroup.labWorkload().name().equals(course)) {
                course = resultGroup.labWorkload().name();
                text.append(course).append('\n').append(" ".repeat(width + 2));
                for (Metric metric : shown) {
                    text.append(form("%18s", shortTitle(metric)));
                }
                text.append('\n');
            }
            text.append(form("  %-" + width + "s", resultGroup.name()));
            for (Metric metric : shown) {
                text.append(
                        form("%18s", NumberText.nice(metric, resultGroup.interval(metric).mean())));
            }
            double left = resultGroup.interval(Metric.UNFINISHED).mean();
            text.append(
                    left > 0
                            ? "   " + NumberText.nice(Metric.UNFINISHED, left) + " unfinished"
                            : "");
            text.append('\n');
        }
        return text.toString();
    }

    private static String shortTitle(Metric metric) {
        return metric.title()
                .replace("bounded ", "")
                .replace("finish-time fairness ", "")
                .replace("completion", "done")
                .replace("GPU ", "");
    }

    private static String form(String format, String value) {
        return String.format(Locale.ROOT, format, value);
    }
}
