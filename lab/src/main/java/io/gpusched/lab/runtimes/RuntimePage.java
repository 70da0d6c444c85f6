package io.gpusched.lab.runtimes;

import java.util.List;
import java.util.Locale;

/// The page of results.
public final class RuntimePage {
    private static final int MOST_GROUPS = 20;

    private RuntimePage() {}

    /// @param told errors of the model that sees starts and ends; `untold` of the one that sees
    ///        ends only
    public static String text(
            PredictionErrors told, PredictionErrors untold, List<PredictionErrors> groups) {
        var text = new StringBuilder();
        text.append("# Run times predicted\n\n");
        text.append("Written by `bin/lab predict --data DIR --report FILE`: ");
        text.append(told.jobs());
        text.append(" jobs of Microsoft's Philly trace (2017), predicted one by\n");
        text.append("one when they are submitted, from jobs of the same virtual cluster and");
        text.append(" number of GPUs that have ended by then.\n");
        text.append("The error is the median of the absolute difference of logarithms:");
        text.append(" 0.69 is a factor of two.\n\n");
        text.append("The constants of the model (how many runs are kept, how fast ranges are");
        text.append(" corrected) were chosen while looking at this trace,\n");
        text.append("so these are not figures of an unseen one.\n\n");
        text.append("| predicted by | error | ranges for 80 % hold |\n|---|---|---|\n");
        row(text, "the median of all so far", told.running(), Double.NaN);
        row(text, "the median of the last 31", told.recent(), Double.NaN);
        row(text, "the model, from ended jobs only", untold.ours(), untold.inside());
        row(text, "**the model**, from starts and ends of jobs", told.ours(), told.inside());
        text.append("\n## By group\n\nThe groups with most jobs; `width` is how many times longer");
        text.append(" the end of the range for 80 % is than its beginning.\n\n");
        text.append("| group | jobs | all so far | last 31 | model | 80 % hold | width |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (PredictionErrors group : groups.stream().limit(MOST_GROUPS).toList()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %d | %.2f | %.2f | %.2f | %.1f %% | %.1f |%n",
                            group.name(),
                            group.jobs(),
                            group.running(),
                            group.recent(),
                            group.ours(),
                            100 * group.inside(),
                            group.width()));
        }
        return text.toString();
    }

    private static void row(StringBuilder text, String name, double error, double inside) {
        text.append(String.format(Locale.ROOT, "| %s | %.3f | ", name, error));
        text.append(
                Double.isNaN(inside) ? "" : String.format(Locale.ROOT, "%.1f %%", 100 * inside));
        text.append(" |\n");
    }
}
