package io.gpusched.lab.fgd;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Collects the runs and writes the page of results: how the curves compare with the published
/// ones, and how much of the cluster each policy fills.
public final class FgdPage {
    /// Means over the runs so far; a run whose pods request less has no value.
    private record Cell(Mean at100, Mean at130) {
        static final Cell EMPTY = new Cell(Mean.NONE, Mean.NONE);

        Cell plus(AllocationCurve allocationCurve) {
            return new Cell(at100.plus(allocationCurve, 100), at130.plus(allocationCurve, 130));
        }

        String text() {
            return at100.text() + " / " + at130.text();
        }
    }

    private record Mean(double sum, int runs) {
        static final Mean NONE = new Mean(0, 0);

        Mean plus(AllocationCurve allocationCurve, int column) {
            return allocationCurve.has(column)
                    ? new Mean(sum + allocationCurve.at(column), runs + 1)
                    : this;
        }

        String text() {
            return runs == 0 ? "–" : String.format(Locale.ROOT, "%.2f", sum / runs);
        }
    }

    private final Map<String, Map<String, Cell>> cells = new TreeMap<>();
    private final Map<String, PublishedCurves.Match> matches = new LinkedHashMap<>();
    private double slowest;
    private int runs;

    public void add(
            String workload,
            String policy,
            AllocationCurve allocationCurve,
            PublishedCurves.Match match,
            double seconds) {
        cells.computeIfAbsent(workload, name -> new LinkedHashMap<>())
                .merge(
                        policy,
                        Cell.EMPTY.plus(allocationCurve),
                        (old, one) -> old.plus(allocationCurve));
        matches.merge(policy, match, PublishedCurves.Match::plus);
        slowest = Math.max(slowest, seconds);
        runs++;
    }

    public String text() {
        var text = new StringBuilder();
        text.append("# The fragmentation experiment\n\n");
        text.append("Written by `bin/lab fgd --data DIR --report FILE`: ").append(runs);
        text.append(" runs of the production core on the workloads of *Beware of Fragmentation*\n");
        text.append("(ATC 2023). The slowest took ");
        text.append(String.format(Locale.ROOT, "%.2f s of processor time.%n%n", slowest));
        text.append("## Against the published curves\n\n");
        text.append("| policy | points | equal | within 0.01 | largest difference | mean |\n");
        text.append("|---|---|---|---|---|---|\n");
        matches.forEach(
                (policy, match) -> {
                    if (match.points() > 0) {
                        text.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %d | %d | %d | %.2f | %+.3f |%n",
                                        policy,
                                        match.points(),
                                        match.equal(),
                                        match.within(),
                                        match.worst(),
                                        match.mean()));
                    }
                });
        text.append("\n## GPUs in use, in percent, at 100 % / 130 % of the load\n\n");
        text.append("Means over the seeds.\n\n| workload |");
        matches.keySet().forEach(policy -> text.append(' ').append(policy).append(" |"));
        text.append("\n|---|").append("---|".repeat(matches.size())).append('\n');
        cells.forEach(
                (workload, row) -> {
                    text.append("| ").append(workload).append(" |");
                    for (String policy : matches.keySet()) {
                        Cell cell = row.get(policy);
                        text.append(' ').append(cell == null ? "" : cell.text()).append(" |");
                    }
                    text.append('\n');
                });
        return text.toString();
    }
}
