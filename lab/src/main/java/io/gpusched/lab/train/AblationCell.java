package io.gpusched.lab.train;

import io.gpusched.rl.Evaluation;
import io.gpusched.wire.model.FileReplacement;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The result of one training run of an ablation, or of a baseline on the same seeds.
///
/// @param row what is trained, such as `attn cdf`, or the name of a baseline
/// @param seed of the training run
/// @param validation on the seeds that chose the best checkpoint
/// @param report on the seeds that are kept for reports
public record AblationCell(String row, long seed, Score validation, Score report) {
    /// The mean return of an evaluation.
    ///
    /// @param error its standard error over episodes
    public record Score(double mean, double error) {
        public static Score of(Evaluation.Outcome outcome) {
            return new Score(outcome.mean(), outcome.standardError());
        }
    }

    private static final List<String> FIELDS =
            List.of("validation mean", "validation error", "report mean", "report error");

    /// Writes the result whole or not at all.
    ///
    /// @param plan all that the result follows from
    public void write(Path file, String plan) throws IOException {
        double[] values = {validation.mean(), validation.error(), report.mean(), report.error()};
        var lines = new ArrayList<>(List.of("plan: " + plan));
        for (int i = 0; i < values.length; i++) {
            lines.add(FIELDS.get(i) + ": " + values[i]);
        }
        String text = String.join("\n", lines) + "\n";
        FileReplacement.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Reads the result of a run that was finished before. Throws [BadRunFile] if it is that of
    /// another plan.
    public static AblationCell read(Path file, String row, long seed, String plan)
            throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.size() != 1 + FIELDS.size() || !lines.getFirst().equals("plan: " + plan)) {
            throw new BadRunFile(
                    file
                            + ": the run was finished with other settings, which are in the file;"
                            + " choose another --runs, or delete the file");
        }
        var values = new double[FIELDS.size()];
        for (int i = 0; i < values.length; i++) {
            String line = lines.get(i + 1);
            try {
                values[i] = Double.parseDouble(line.substring(line.indexOf(':') + 1).strip());
            } catch (NumberFormatException wrong) {
                throw new BadRunFile(
                        "%s:%d: expected %s and a number, found %s; delete the file"
                                .formatted(file, i + 2, FIELDS.get(i), line));
            }
        }
        return new AblationCell(
                row, seed, new Score(values[0], values[1]), new Score(values[2], values[3]));
    }
}
