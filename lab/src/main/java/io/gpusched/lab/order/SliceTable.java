package io.gpusched.lab.order;

import io.gpusched.lab.philly.VirtualCluster.Outcome;
import io.gpusched.lab.swf.PairedGain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Completion times of the held-back slices by policy, compared slice by slice with the learned
/// order.
public final class SliceTable {
    private final ClusterSlices slices;
    private final String settings;
    private final Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();

    /// @param settings in words
    public SliceTable(ClusterSlices slices, String settings) {
        this.slices = slices;
        this.settings = settings;
    }

    /// @param each the result of every held-back slice
    public void add(String policy, List<Outcome> each) {
        outcomes.put(policy, List.copyOf(each));
    }

    private static double mean(List<Outcome> each) {
        double sum = 0;
        for (Outcome outcome : each) {
            sum += outcome.completion();
        }
        return sum / each.size();
    }

    private static long preemptions(List<Outcome> each) {
        return each.stream().mapToLong(Outcome::preemptions).sum();
    }

    /// How much shorter the completion under the learned order is.
    private PairedGain gain(List<Outcome> other) {
        return PairedGain.of(completions(learned()), completions(other));
    }

    private static List<Double> completions(List<Outcome> each) {
        return each.stream().map(Outcome::completion).toList();
    }

    /// The table as lines of text.
    public List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%-10s %14s %14s %10s  %-18s %s",
                        "policy",
                        "completion s",
                        "queueing s",
                        "preempted",
                        "learned is shorter",
                        "in slices"));
        outcomes.forEach((policy, each) -> lines.add(line(policy, each)));
        return lines;
    }

    private String line(String policy, List<Outcome> each) {
        PairedGain gain = gain(each);
        boolean itself = policy.equals(SliceRun.LEARNED);
        return String.format(
                Locale.ROOT,
                "%-10s %14.0f %14.0f %10d  %-18s %s",
                policy,
                mean(each),
                queued(each),
                preemptions(each),
                itself ? "" : gain.percent(),
                itself ? "" : gain.wonPairs());
    }

    private static double queued(List<Outcome> each) {
        double sum = 0;
        for (Outcome outcome : each) {
            sum += outcome.queued();
        }
        return sum / each.size();
    }

    private List<Outcome> learned() {
        return outcomes.getOrDefault(SliceRun.LEARNED, List.of());
    }

    /// The page of results, as Markdown.
    public String page() {
        var text = new StringBuilder();
        text.append("# A learned order on held-back weeks of Philly\n\n");
        text.append("Written by `bin/lab evaluate-order --trace FILE --report FILE`: ");
        text.append(settings).append(".\n");
        text.append("The production core runs each slice of a virtual cluster on as many nodes of");
        text.append(" 8 GPUs as its work keeps\nbusy. Policies see predicted run times only. ");
        text.append("Times are means over the slices, in seconds. *learned is shorter* is\n");
        text.append("the mean difference of completion times slice by slice (of logarithms), with");
        text.append(" its standard error.\n\n");
        text.append("| policy | completion | queueing | preemptions | learned is shorter | in |\n");
        text.append("|---|---|---|---|---|---|\n");
        outcomes.forEach((policy, each) -> text.append(row(policy, each)));
        text.append("\n## By virtual cluster\n\nMean completion time, in seconds.\n\n");
        text.append("| virtual cluster | slices | ");
        text.append(String.join(" | ", outcomes.keySet())).append(" |\n|---|---");
        text.append("|---".repeat(outcomes.size())).append("|\n");
        clusters().forEach((name, at) -> text.append(clusterRow(name, at)));
        return text.toString();
    }

    private String row(String policy, List<Outcome> each) {
        PairedGain gain = gain(each);
        boolean itself = policy.equals(SliceRun.LEARNED);
        return String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %d | %s | %s |%n",
                itself ? "**learned**" : "`" + policy + "`",
                mean(each),
                queued(each),
                preemptions(each),
                itself ? "" : gain.percent(),
                itself ? "" : gain.wonPairs() + " slices");
    }

    private Map<String, List<Integer>> clusters() {
        var clusters = new LinkedHashMap<String, List<Integer>>();
        for (int i = 0; i < slices.late().size(); i++) {
            clusters.computeIfAbsent(slices.late().get(i).cluster(), name -> new ArrayList<>())
                    .add(i);
        }
        return clusters;
    }

    private String clusterRow(String cluster, List<Integer> slicesOf) {
        var row = new StringBuilder("| ").append(cluster).append(" | ").append(slicesOf.size());
        for (List<Outcome> each : outcomes.values()) {
            double sum = 0;
            for (int i : slicesOf) {
                sum += each.get(i).completion();
            }
            row.append(String.format(Locale.ROOT, " | %.0f", sum / slicesOf.size()));
        }
        return row.append(" |\n").toString();
    }
}
