package io.gpusched.lab.spot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// How many rows equal the expected ones, and how our policy compares with SpotHedge.
public final class ServingSummary {
    private static final int MOST_DIFFERENCES = 10;

    /// Means over some windows, in percent.
    ///
    /// @param windows how many
    public record Mean(long windows, double availability, double cost) {
        Mean minus(Mean other) {
            return new Mean(windows, availability - other.availability, cost - other.cost);
        }

        String text(String form) {
            return String.format(Locale.ROOT, form, availability, cost);
        }
    }

    private final ServingExperiment experiment;
    private final List<ServingRow> published;
    private final List<ServingRow> ours;

    public ServingSummary(
            ServingExperiment experiment, List<ServingRow> published, List<ServingRow> ours) {
        this.experiment = experiment;
        this.published = List.copyOf(published);
        this.ours = List.copyOf(ours);
    }

    /// A line for each policy: how many rows equal the expected ones in every column.
    public List<String> equal() {
        var lines = new ArrayList<String>();
        for (String policy : PublishedServing.NAMES) {
            List<ServingRow> rows =
                    published.stream().filter(row -> row.given().policy().equals(policy)).toList();
            long equal = rows.stream().filter(r -> experiment.differences(r).isEmpty()).count();
            lines.add("%-12s equal %d of %d".formatted(policy, equal, rows.size()));
        }
        return lines;
    }

    public List<String> differences() {
        return published.stream()
                .flatMap(row -> experiment.differences(row).stream())
                .limit(MOST_DIFFERENCES)
                .toList();
    }

    /// Trace and cold start, as `AWS1, 4 ticks`.
    List<String> groups() {
        return ours.stream().map(row -> group(row.given())).distinct().toList();
    }

    private static String group(ServingCase given) {
        return given.trace() + ", " + given.coldStart() + " ticks";
    }

    /// Means of a published policy, of a group or of all.
    Mean published(String policy, int overprovision, Predicate<ServingCase> which) {
        return mean(
                published,
                given ->
                        given.policy().equals(policy)
                                && given.overprovision() == overprovision
                                && which.test(given));
    }

    Mean ours(Predicate<ServingCase> which) {
        return mean(ours, which);
    }

    private static Mean mean(List<ServingRow> rows, Predicate<ServingCase> which) {
        List<ServingRow> some = rows.stream().filter(row -> which.test(row.given())).toList();
        return new Mean(
                some.size(),
                100 * some.stream().mapToDouble(ServingRow::availability).average().orElse(0),
                100 * some.stream().mapToDouble(ServingRow::relativeCost).average().orElse(0));
    }

    /// Lines of a table: SpotHedge with one spare instance, ours, and the difference.
    public List<List<String>> table() {
        var lines = new ArrayList<List<String>>();
        for (String group : groups()) {
            add(lines, group, "even", given -> group(given).equals(group) && isEven(given));
            add(lines, group, "odd", given -> group(given).equals(group) && !isEven(given));
        }
        add(lines, "all", "even", ServingSummary::isEven);
        add(lines, "all", "odd", given -> !isEven(given));
        add(lines, "all", "all", given -> true);
        return lines;
    }

    /// Every second window; the two halves show how much the figures depend on the sample.
    private static boolean isEven(ServingCase given) {
        return given.window() % 2 == 0;
    }

    private void add(
            List<List<String>> lines, String group, String half, Predicate<ServingCase> which) {
        Mean hedge = published(PublishedServing.SPOT_HEDGE, 1, which);
        Mean mine = ours(which);
        if (hedge.windows == 0 || mine.windows == 0) {
            return;
        }
        lines.add(
                List.of(
                        group,
                        half,
                        String.valueOf(mine.windows),
                        hedge.text("%.3f / %.2f"),
                        mine.text("%.3f / %.2f"),
                        mine.minus(hedge).text("%+.3f / %+.2f")));
    }

    public static List<String> columns() {
        return List.of("trace, cold start", "windows", "n", "SpotHedge", "ours", "difference");
    }
}
