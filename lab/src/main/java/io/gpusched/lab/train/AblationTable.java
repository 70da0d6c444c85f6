package io.gpusched.lab.train;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// The results of an ablation, summed up over training seeds, for the console and for a page.
public final class AblationTable {
    /// What the benchmark published, from one training seed: VAL and REPORT.
    private static final Map<String, String> PUBLISHED =
            Map.of(
                    "mlp off", "0.520 / 0.525",
                    "mlp per_gpu", "0.237 / 0.286",
                    "mlp sorted", "0.560 / 0.613",
                    "mlp cdf", "0.407 / 0.342",
                    "attn off", "0.614 / 0.577",
                    "attn per_gpu", "0.608 / 0.589",
                    "attn sorted", "0.578 / 0.555",
                    "attn cdf", "0.590 / 0.615");

    private final Map<String, List<AblationCell>> rows = new LinkedHashMap<>();
    private final Set<String> baselines = new HashSet<>();

    public void add(AblationCell cell) {
        rows.computeIfAbsent(cell.row(), row -> new ArrayList<>()).add(cell);
    }

    /// Adds the result of a player that is not trained. Such a row has no interval over training
    /// seeds.
    public void addBaseline(AblationCell cell) {
        baselines.add(cell.row());
        add(cell);
    }

    /// A line for each row.
    public List<String> lines() {
        var lines = new ArrayList<String>();
        for (var row : rows.entrySet()) {
            List<AblationCell> cells = row.getValue();
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-14s | VAL %-15s | REPORT %-15s | by seed %s",
                            row.getKey(),
                            validation(cells),
                            report(cells),
                            each(cells, " ", "%.3f")));
        }
        return lines;
    }

    /// @param command what was typed
    /// @param about steps, episodes and seeds, as sentences
    /// @param published whether these are the settings of the published table
    public String page(String command, String about, boolean published) {
        var text = new StringBuilder("# Ablation: network and look-ahead\n\n");
        text.append("Written by `").append(command).append("`.\n\n").append(about);
        text.append(
                """


                VAL are the seeds that chose the best checkpoint of each run, REPORT are seeds that chose
                nothing. A cell is the mean over training seeds ± half of its 95 % confidence interval by
                Student's t. "By seed" has the REPORT mean of each training run ± its standard error over
                episodes. The interval shows how much the outcome of training varies. The episodes of
                neighbouring training seeds overlap, so it does not show how much episodes vary; the standard
                error does. The baselines play the same episodes as the trained policies, so all rows can be
                compared. They are not trained and have no interval.

                """);
        text.append("| policy | VAL | REPORT | REPORT by seed |");
        text.append(published ? " published VAL / REPORT, one seed |\n|---" : "\n");
        text.append("|---|---|---|---|\n");
        for (var row : rows.entrySet()) {
            List<AblationCell> cells = row.getValue();
            text.append("| ").append(row.getKey());
            text.append(" | ").append(validation(cells));
            text.append(" | ").append(report(cells));
            text.append(" | ").append(each(cells, ", ", "%.3f ± %.3f")).append(" |");
            if (published) {
                text.append(' ').append(PUBLISHED.getOrDefault(row.getKey(), "–")).append(" |");
            }
            text.append('\n');
        }
        return text.toString();
    }

    private String validation(List<AblationCell> cells) {
        return over(cells, cell -> cell.validation().mean());
    }

    private String report(List<AblationCell> cells) {
        return over(cells, cell -> cell.report().mean());
    }

    private String over(List<AblationCell> cells, ToDoubleFunction<AblationCell> value) {
        var interval = StudentInterval.of(cells.stream().mapToDouble(value).toArray());
        return baselines.contains(cells.getFirst().row())
                ? String.format(Locale.ROOT, "%.3f", interval.mean())
                : interval.toString();
    }

    private static String each(List<AblationCell> cells, String between, String format) {
        return String.join(
                between,
                cells.stream()
                        .map(AblationCell::report)
                        .map(
                                score ->
                                        String.format(
                                                Locale.ROOT, format, score.mean(), score.error()))
                        .toList());
    }
}
