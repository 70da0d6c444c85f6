package io.gpusched.lab.fgd;

import io.gpusched.sim.trace.CsvFile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The results of the published simulator, where the directory has them.
public final class PublishedCurves {
    /// The result of a comparison.
    ///
    /// @param worst the largest difference, in points
    /// @param mean the mean of (ours - theirs), in points
    public record Match(int points, int equal, int within, double worst, double mean) {
        public static final Match NONE = new Match(0, 0, 0, 0, 0);

        public Match plus(Match more) {
            int all = points + more.points;
            double sum = mean * points + more.mean * more.points;
            return new Match(
                    all,
                    equal + more.equal,
                    within + more.within,
                    Math.max(worst, more.worst),
                    all == 0 ? 0 : sum / all);
        }
    }

    private static final double HALF_A_DIGIT = 0.005;
    private static final double ROUNDING = 0.01 + 1e-9;

    private static final String FILE = "expected_alloc_pct.csv";

    private final Map<String, double[]> rows = new LinkedHashMap<>();
    private final TreeSet<String> workloads = new TreeSet<>();

    private PublishedCurves() {}

    /// Empty where the directory has no results.
    public static PublishedCurves read(FgdFiles fgdFiles) {
        var publishedCurves = new PublishedCurves();
        if (fgdFiles.has(FILE)) {
            CsvFile.rows(
                    fgdFiles.file(FILE),
                    "expected shares of GPUs in use",
                    List.of("workload", "policy", "seed", "0"),
                    publishedCurves::add);
        }
        return publishedCurves;
    }

    private boolean add(CsvFile.Row row) {
        var curve = new double[AllocationCurve.COLUMNS];
        for (int k = 0; k < AllocationCurve.COLUMNS; k++) {
            curve[k] = row.numberOrNone(Integer.toString(k));
        }
        int seed = row.whole("seed", Integer.MIN_VALUE, Integer.MAX_VALUE);
        String key = key(row.text("workload"), row.text("policy"), seed);
        if (rows.put(key, curve) != null) {
            throw new IllegalArgumentException("there is another row for " + key);
        }
        return workloads.add(row.text("workload"));
    }

    /// The workloads there are results for, in order.
    public List<String> workloads() {
        return List.copyOf(workloads);
    }

    /// How the curve compares; [Match#NONE] where there is nothing to compare with.
    public Match match(String workload, String policy, int seed, AllocationCurve allocationCurve) {
        double[] row = rows.get(key(workload, policy, seed));
        Match all = Match.NONE;
        for (int k = 0; row != null && k < AllocationCurve.COLUMNS; k++) {
            if (allocationCurve.has(k) && !Double.isNaN(row[k])) {
                double off = allocationCurve.at(k) - row[k];
                double size = Math.abs(off);
                all =
                        all.plus(
                                new Match(
                                        1,
                                        size < HALF_A_DIGIT ? 1 : 0,
                                        size <= ROUNDING ? 1 : 0,
                                        size,
                                        off));
            }
        }
        return all;
    }

    private static String key(String workload, String policy, int seed) {
        return workload + "," + policy + "," + seed;
    }
}
