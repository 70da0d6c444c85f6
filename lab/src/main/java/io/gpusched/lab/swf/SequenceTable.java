package io.gpusched.lab.swf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Collects the results of the sequences and compares them with the published ones.
public final class SequenceTable {
    /// The columns of [#lines].
    public static final String HEADER =
            "trace,backfill,metric,length,seed,seq,start_index,policy,value";

    private static final List<String> METRICS = List.of("bsld", "wait_s", "utilization");

    /// Half of the last of four digits.
    private static final double HALF_A_DIGIT = 0.00005 + 1e-9;

    /// The settings of one experiment.
    public record Setup(String trace, boolean backfill, int length, long seed) {
        private String row(String metric, int number, int start, String policy) {
            return "%s,%d,%s,%d,%d,%d,%d,%s"
                    .formatted(
                            trace, backfill ? 1 : 0, metric, length, seed, number, start, policy);
        }
    }

    /// Sums over sequences.
    private static final class Sums {
        private final double[] sums = new double[METRICS.size()];
        private final List<Double> slowdowns = new ArrayList<>();
        private int sequences;
        private int compared;
        private int equal;
    }

    private final Setup setup;
    private final PublishedValues publishedValues;
    private final List<String> lines = new ArrayList<>();
    private final Map<String, Sums> byPolicy = new LinkedHashMap<>();

    public SequenceTable(Setup setup, PublishedValues publishedValues) {
        this.setup = setup;
        this.publishedValues = publishedValues;
    }

    public void add(int number, int start, String policy, JobSequence.Figures figures) {
        Sums sums = byPolicy.computeIfAbsent(policy, name -> new Sums());
        sums.sequences++;
        sums.slowdowns.add(figures.slowdown());
        for (int i = 0; i < METRICS.size(); i++) {
            double value = figures.all()[i];
            sums.sums[i] += value;
            String row = setup.row(METRICS.get(i), number, start, policy);
            lines.add(row + "," + String.format(Locale.ROOT, "%.4f", value));
            Double published = publishedValues.of(row);
            if (published != null) {
                sums.compared++;
                sums.equal += Math.abs(value - published) <= HALF_A_DIGIT ? 1 : 0;
            }
        }
    }

    /// Rows as in the published file.
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /// The number of published values that were compared.
    public int compared() {
        return byPolicy.values().stream().mapToInt(sums -> sums.compared).sum();
    }

    /// How many of them are equal to four digits.
    public int equal() {
        return byPolicy.values().stream().mapToInt(sums -> sums.equal).sum();
    }

    /// The means of each policy, a line each: policy, slowdown, wait, utilization, equal values.
    public List<List<String>> means() {
        var rows = new ArrayList<List<String>>();
        byPolicy.forEach(
                (policy, sums) -> {
                    double n = sums.sequences;
                    rows.add(
                            List.of(
                                    policy,
                                    String.format(Locale.ROOT, "%.2f", sums.sums[0] / n),
                                    String.format(Locale.ROOT, "%.0f", sums.sums[1] / n),
                                    String.format(Locale.ROOT, "%.3f", sums.sums[2] / n),
                                    sums.compared == 0
                                            ? "-"
                                            : sums.equal + " of " + sums.compared));
                });
        return rows;
    }

    /// The slowdowns under a policy compared with those under each other one, a line each: the
    /// other policy, how much smaller they are, and in how many sequences. Empty if the policy did
    /// not run.
    public List<List<String>> gains(String policy) {
        var rows = new ArrayList<List<String>>();
        Sums own = byPolicy.get(policy);
        byPolicy.forEach(
                (other, sums) -> {
                    if (own != null && !other.equals(policy)) {
                        PairedGain gain = PairedGain.of(own.slowdowns, sums.slowdowns);
                        rows.add(List.of(other, gain.percent(), gain.wonPairs()));
                    }
                });
        return rows;
    }

    public Setup setup() {
        return setup;
    }
}
