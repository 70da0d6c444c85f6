package io.gpusched.lab.pools;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Writes the results of scaling laws as a Markdown page.
public final class PoolsPage {
    private PoolsPage() {}

    public static String text(List<PoolResult> results, PoolBaselines baselines) {
        var text = new StringBuilder();
        text.append("# Scaling laws on recorded LLM requests\n\n");
        text.append(
                """
                Written by `bin/lab pools --data DIR --azure DIR --trace conversation,code --law all \
                … --report FILE`.

                A pool of replicas (Llama 2 70B on four H100) answers recorded requests. The scheduler's own core
                decides: it gets reports of load, and places, drains and stops the replicas. `attained` is the
                percentage of requests within both objectives: time to the first token and mean time between
                tokens. GPU-hours are paid from the decision that adds a replica until its last answer.
                `expected` is the figure of an independent program for the same law.
                """);
        for (String group : groups(results)) {
            text.append("\n## ").append(group).append("\n\n");
            text.append("| law | attained | GPU-hours | added | removed | expected |\n");
            text.append("|---|---|---|---|---|---|\n");
            for (PoolResult result : results) {
                if (group(result).equals(group)) {
                    text.append(row(result, baselines));
                }
            }
        }
        return text.toString();
    }

    private static List<String> groups(List<PoolResult> results) {
        var groups = new ArrayList<String>();
        for (PoolResult result : results) {
            if (!groups.contains(group(result))) {
                groups.add(group(result));
            }
        }
        return groups;
    }

    private static String group(PoolResult result) {
        return String.format(
                Locale.ROOT,
                "%s, %d s load time, reports every %d s, objectives %d ms and %d ms",
                result.trace(),
                result.loadSeconds(),
                result.reports().toSeconds(),
                result.slo().firstTokenMillis(),
                result.slo().interTokenMillis());
    }

    private static String row(PoolResult result, PoolBaselines baselines) {
        PoolBaselines.Baseline expected = baselines.of(result);
        return String.format(
                Locale.ROOT,
                "| %s | %.2f %% | %.2f | %d | %d | %s |%n",
                result.law(),
                result.percent(),
                result.gpuHours(),
                result.added(),
                result.removed(),
                expected == null
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "%.2f %%, %.2f",
                                expected.percent(),
                                expected.gpuHours()));
    }
}
