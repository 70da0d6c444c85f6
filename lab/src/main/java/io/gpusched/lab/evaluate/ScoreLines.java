package io.gpusched.lab.evaluate;

import io.gpusched.rl.Baseline;
import io.gpusched.rl.Evaluation;
import io.gpusched.rl.PlayStyle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// Outcomes as text: the line that the benchmark prints, rows of a CSV file, rows of a page.
public final class ScoreLines {
    public static final String COLUMNS =
            "player,seed,block,return,steps,noops,invalid,terminated,end_s,completed";

    private ScoreLines() {}

    /// As the benchmark prints it.
    public static String line(Evaluation.Outcome outcome) {
        return String.format(
                Locale.ROOT,
                "%-12s | mean=%8.3f  min=%8.3f  max=%8.3f | invalid=%.3f  noop=%.3f",
                outcome.player(),
                outcome.mean(),
                outcome.least(),
                outcome.most(),
                outcome.invalid(),
                outcome.waits());
    }

    /// What follows the line when a trained policy is among the players.
    public static String errors(Evaluation.Outcome outcome) {
        var text =
                new StringBuilder(
                        String.format(Locale.ROOT, " | se=%.4f  blocks=", outcome.standardError()));
        for (int i = 0; i < outcome.blocks().size(); i++) {
            text.append(i == 0 ? "" : " ");
            text.append(String.format(Locale.ROOT, "%.3f", outcome.blocks().get(i)));
        }
        return text.toString();
    }

    /// How much better the trained policy is than INDEX, episode by episode; empty unless both
    /// played.
    public static List<String> difference(List<Evaluation.Outcome> outcomes) {
        Evaluation.Outcome learned = null;
        Evaluation.Outcome index = null;
        for (Evaluation.Outcome outcome : outcomes) {
            learned = outcome.player().equals(LearnedPlayer.NAME) ? outcome : learned;
            index = outcome.player().equals(Baseline.INDEX.name()) ? outcome : index;
        }
        if (learned == null || index == null) {
            return List.of();
        }
        var differences = new double[learned.episodes().size()];
        int better = 0;
        for (int i = 0; i < differences.length; i++) {
            differences[i] = learned.episodes().get(i).total() - index.episodes().get(i).total();
            better += differences[i] > 0 ? 1 : 0;
        }
        return List.of(
                "",
                String.format(
                        Locale.ROOT,
                        "LEARNED - INDEX | mean=%8.3f | se=%.4f | better in %d of %d episodes",
                        learned.mean() - index.mean(),
                        Evaluation.Outcome.standardError(differences),
                        better,
                        differences.length));
    }

    /// What search with perfect information found, and what the players reached in the same
    /// episodes.
    public static List<String> bound(double[] best, List<Evaluation.Outcome> outcomes) {
        var lines = new ArrayList<String>();
        lines.add("");
        lines.add(
                String.format(
                        Locale.ROOT,
                        "Search with perfect information, first %d episodes: mean=%.3f  se=%.4f",
                        best.length,
                        Arrays.stream(best).average().orElse(Double.NaN),
                        Evaluation.Outcome.standardError(best)));
        for (Evaluation.Outcome outcome : outcomes) {
            double mean =
                    outcome.episodes().stream()
                            .limit(best.length)
                            .mapToDouble(Evaluation.Episode::total)
                            .average()
                            .orElse(Double.NaN);
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-12s in these episodes: mean=%.3f",
                            outcome.player(),
                            mean));
        }
        return lines;
    }

    private static void learned(
            StringBuilder text,
            String checkpoint,
            Evaluation evaluation,
            List<Evaluation.Outcome> outcomes) {
        text.append("LEARNED is the checkpoint ").append(checkpoint).append(".\n\n");
        text.append(
                "Every player plays the same %d episodes, with the seeds %d to %d, in %d blocks."
                        .formatted(
                                evaluation.count(),
                                evaluation.firstSeed(),
                                evaluation.firstSeed() + evaluation.count() - 1,
                                evaluation.blocks()));
        text.append("\n\n```\n");
        for (Evaluation.Outcome outcome : outcomes) {
            text.append(line(outcome)).append(errors(outcome)).append('\n');
        }
        text.append("```\n\n");
    }

    /// One row per episode.
    public static String rows(Evaluation.Outcome outcome, int perBlock) {
        var text = new StringBuilder();
        for (int i = 0; i < outcome.episodes().size(); i++) {
            Evaluation.Episode episode = outcome.episodes().get(i);
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%s,%d,%d,%.6f,%d,%d,%d,%s,%.6f,%d%n",
                            outcome.player(),
                            episode.seed(),
                            i / perBlock,
                            episode.total(),
                            episode.steps(),
                            episode.waits(),
                            episode.invalid(),
                            episode.terminated(),
                            episode.end(),
                            episode.ended()));
        }
        return text.toString();
    }

    /// A page with the settings used and a table.
    ///
    /// @param command what was typed, beside the names of files
    /// @param checkpoint the checkpoint of LEARNED; empty if there is none
    /// @param notes lines that follow the table
    public static String page(
            String command,
            String checkpoint,
            Evaluation evaluation,
            List<Evaluation.Outcome> outcomes,
            List<String> notes) {
        var text = new StringBuilder();
        text.append("# Players of the scheduling benchmark\n\n");
        text.append("Written by `").append(command).append("`.\n\n");
        text.append(
                """
                The benchmark is a published one (`docs/experiments/evaluate.md`), played action by action
                on the production core. With the default settings, FIFO, SJF and RAND_FEAS_NO0 equal its
                published table in every digit. INDEX is ours: of the jobs that can start, it starts the one
                with the largest GPUs⁴/duration. Its exponent was chosen on the seeds 2000001 to 2000060 and
                12000001 to 12000060, so its mean on those is optimistic. The standard error is that of the
                mean over all episodes.

                """);
        if (!checkpoint.isEmpty()) {
            learned(text, checkpoint, evaluation, outcomes);
        }
        text.append(
                "| player | mean | ± | least block | best block | invalid | no-op | busy GPUs |"
                        + " running | exact |\n");
        text.append("|---|---|---|---|---|---|---|---|---|---|\n");
        for (Evaluation.Outcome outcome : outcomes) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f"
                                    + " |%n",
                            outcome.player(),
                            outcome.mean(),
                            outcome.standardError(),
                            outcome.least(),
                            outcome.most(),
                            outcome.invalid(),
                            outcome.waits(),
                            mean(outcome, PlayStyle::busy),
                            mean(outcome, PlayStyle::running),
                            mean(outcome, PlayStyle::exact)));
        }
        text.append(
                """

                *busy GPUs* is the part of the GPUs that was busy and *running* the number of jobs that
                ran, as means over the time of an episode. *exact* is the part of the starts that left no
                GPU idle.
                """);
        if (!notes.isEmpty()) {
            text.append("\n```").append(String.join("\n", notes)).append("\n```\n");
        }
        return text.toString();
    }

    private static double mean(Evaluation.Outcome outcome, ToDoubleFunction<PlayStyle> part) {
        return outcome.episodes().stream()
                .map(Evaluation.Episode::style)
                .mapToDouble(part)
                .average()
                .orElse(Double.NaN);
    }
}
