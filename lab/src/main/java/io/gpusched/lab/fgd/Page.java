package io.gpusched.lab.fgd;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Collects the runs and writes the page of results: how the curves compare with the published
/// ones, and how much of the cluster each policy fills.
public final class Page {
    private record Cell(double at100, double at130, int runs) {
        static final Cell EMPTY = new Cell(0, 0, 0);

        Cell plus(Curve curve) {
            return new Cell(at100 + curve.at(100), at130 + curve.at(130), runs + 1);
        }

        String text() {
            return "%.2f / %.2f".formatted(at100 / runs, at130 / runs);
        }
    }

    private final Map<String, Map<String, Cell>> cells = new TreeMap<>();
    private final Map<String, Published.Match> matches = new LinkedHashMap<>();
    private double slowest;
    private int runs;

    public void add(
            String workload, String policy, Curve curve, Published.Match match, double seconds) {
        cells.computeIfAbsent(workload, name -> new LinkedHashMap<>())
                .merge(policy, Cell.EMPTY.plus(curve), (old, one) -> old.plus(curve));
        matches.merge(policy, match, Published.Match::plus);
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
                        Cell cell = row.getOrDefault(policy, Cell.EMPTY);
                        text.append(' ').append(cell.runs() == 0 ? "" : cell.text()).append(" |");
                    }
                    text.append('\n');
                });
        return text.toString();
    }
}
