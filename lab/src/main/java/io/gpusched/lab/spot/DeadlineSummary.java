package io.gpusched.lab.spot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// Means over the runs, and how many cells equal the expected ones.
public final class DeadlineSummary {
    public static final List<String> POLICIES =
            List.of("greedy", "up", "up_no_cond2", "evolved", DeadlineRow.OURS, "optimum");

    private final DeadlineExperiment experiment;
    private final List<DeadlineRow> rows;

    public DeadlineSummary(DeadlineExperiment experiment, List<DeadlineRow> rows) {
        this.experiment = experiment;
        this.rows = List.copyOf(rows);
    }

    public List<DeadlineRow> rows() {
        return rows;
    }

    /// A line for each column: how many cells equal the expected ones.
    public List<String> equal() {
        var lines = new ArrayList<String>();
        for (String column : DeadlineRow.COLUMNS) {
            long known = rows.stream().filter(row -> expected(row, column) != null).count();
            long equal = rows.stream().filter(row -> isEqual(row, column)).count();
            lines.add("%-14s equal %d of %d".formatted(column, equal, known));
        }
        return lines;
    }

    private boolean isEqual(DeadlineRow row, String column) {
        return row.cell(column).equals(expected(row, column));
    }

    private @Nullable String expected(DeadlineRow row, String column) {
        return experiment.expected(row.given(), column);
    }

    /// The first few cells that differ, in words.
    public List<String> differences() {
        var lines = new ArrayList<String>();
        for (DeadlineRow row : rows) {
            for (String column : DeadlineRow.COLUMNS) {
                String expected = expected(row, column);
                if (expected != null && !isEqual(row, column) && lines.size() < 10) {
                    lines.add(
                            "%s, %s: expected %s, found %s"
                                    .formatted(
                                            row.given().key(), column, expected, row.cell(column)));
                }
            }
        }
        return lines;
    }

    /// Mean cost in dollars.
    public String mean(String policy, Predicate<DeadlineCase> which) {
        return String.format(
                Locale.ROOT,
                "%.6f",
                rows.stream()
                        .filter(row -> which.test(row.given()))
                        .mapToDouble(row -> row.cost(policy))
                        .average()
                        .orElse(Double.NaN));
    }

    /// How many runs ended after their deadline. The optimum never does.
    public long missed(String policy, Predicate<DeadlineCase> which) {
        return policy.equals("optimum")
                ? 0
                : rows.stream()
                        .filter(row -> which.test(row.given()) && row.run(policy).missed())
                        .count();
    }

    /// The regions on which the constants of our rule were chosen: every second one.
    public Predicate<DeadlineCase> chosenOn() {
        List<String> regions = experiment.regions();
        return given -> regions.indexOf(given.region()) % 2 == 0;
    }
}
