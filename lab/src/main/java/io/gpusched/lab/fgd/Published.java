package io.gpusched.lab.fgd;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The results of the published simulator, where the folder has them.
public final class Published {
    /// What a comparison came to.
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

    private final Map<String, String[]> rows = new LinkedHashMap<>();

    private Published() {}

    /// Empty where the folder has no results.
    public static Published read(Tables tables) {
        var published = new Published();
        if (tables.has("expected_alloc_pct.csv")) {
            List<String> lines = tables.lines("expected_alloc_pct.csv");
            for (String line : lines.subList(1, lines.size())) {
                String[] cell = line.split(",", -1);
                published.rows.put(key(cell[0], cell[1], cell[2]), cell);
            }
        }
        return published;
    }

    /// The workloads there are results for, in order.
    public List<String> workloads() {
        var names = new TreeSet<String>();
        rows.values().forEach(row -> names.add(row[0]));
        return List.copyOf(names);
    }

    /// How the curve compares; [Match#NONE] where there is nothing to compare with.
    public Match match(String workload, String policy, int seed, Curve curve) {
        String[] row = rows.get(key(workload, policy, Integer.toString(seed)));
        Match all = Match.NONE;
        for (int k = 0; row != null && k < Curve.COLUMNS && k + 3 < row.length; k++) {
            if (curve.has(k) && !row[k + 3].isEmpty()) {
                double off = curve.at(k) - Double.parseDouble(row[k + 3]);
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

    private static String key(String workload, String policy, String seed) {
        return workload + "," + policy + "," + seed;
    }
}
