package io.gpusched.rl.ppo;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Writes one line per update into a CSV file, in the columns of the published benchmark. Missing
/// numbers are `nan`; the blocks of an evaluation that was not made are empty.
final class TrainingLog {
    private static final List<String> BEFORE_BLOCKS =
            List.of(
                    "update",
                    "timesteps",
                    "mean_ep_return",
                    "mean_ep_length",
                    "num_episodes",
                    "eval_mean_return",
                    "eval_min_block_return",
                    "eval_max_block_return");
    private static final List<String> AFTER_BLOCKS =
            List.of(
                    "invalid_frac",
                    "noop_frac",
                    "eval_invalid_frac",
                    "eval_noop_frac",
                    "lr",
                    "ent_coef",
                    "approx_kl",
                    "approx_kl_last",
                    "approx_kl_mean",
                    "approx_kl_max",
                    "early_stop",
                    "loss",
                    "pg_loss",
                    "v_loss",
                    "entropy");

    private final Path file;
    private final int blocks;

    private TrainingLog(Path file, int blocks) {
        this.file = file;
        this.blocks = blocks;
    }

    /// Begins a log, in place of any earlier one.
    static TrainingLog begin(Path file, int blocks) throws IOException {
        var log = new TrainingLog(file, blocks);
        Files.write(file, List.of(String.join(",", log.columns())));
        return log;
    }

    /// Continues a log after an update. Lines of later updates, which are made again, are removed.
    static TrainingLog resume(Path file, int blocks, int update) throws IOException {
        if (!Files.exists(file)) {
            return begin(file, blocks);
        }
        List<String> lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, Math.min(lines.size(), update + 1)));
        return new TrainingLog(file, blocks);
    }

    private List<String> columns() {
        var columns = new ArrayList<>(BEFORE_BLOCKS);
        for (int i = 0; i < blocks; i++) {
            columns.add("eval_block" + i + "_return");
        }
        columns.addAll(AFTER_BLOCKS);
        return columns;
    }

    /// @param evaluation null if the policy was not evaluated after this update
    void add(UpdateResult result, PolicyEvaluation.@Nullable Result evaluation) throws IOException {
        var cells = new ArrayList<String>();
        cells.add(Integer.toString(result.update()));
        cells.add(Long.toString(result.steps()));
        cells.add(number(result.meanReturn()));
        cells.add(number(result.meanLength()));
        cells.add(Integer.toString(result.episodes()));
        cells.add(number(evaluation == null ? Double.NaN : evaluation.mean()));
        cells.add(number(evaluation == null ? Double.NaN : evaluation.least()));
        cells.add(number(evaluation == null ? Double.NaN : evaluation.most()));
        for (int i = 0; i < blocks; i++) {
            cells.add(evaluation == null ? "" : number(evaluation.blocks().get(i)));
        }
        cells.add(number(result.invalidPart()));
        cells.add(number(result.noopPart()));
        cells.add(number(evaluation == null ? Double.NaN : evaluation.invalidPart()));
        cells.add(number(evaluation == null ? Double.NaN : evaluation.noopPart()));
        cells.add(number(result.rate()));
        cells.add(number(result.entropyBonus()));
        cells.add(number(result.klLast()));
        cells.add(number(result.klLast()));
        cells.add(number(result.klMean()));
        cells.add(number(result.klMax()));
        cells.add(number(result.stopped() ? 1 : 0));
        cells.add(number(result.loss()));
        cells.add(number(result.policyLoss()));
        cells.add(number(result.valueLoss()));
        cells.add(number(result.entropy()));
        Files.write(file, List.of(String.join(",", cells)), StandardOpenOption.APPEND);
    }

    private static String number(double number) {
        return Double.isNaN(number) ? "nan" : Double.toString(number);
    }

    /// The line that is printed after an update.
    static String line(UpdateResult result) {
        return String.format(
                Locale.ROOT,
                "[PPO] update=%d  timesteps=%d  loss=%.3f  pg=%.3f  v=%.3f  ent=%.3f  "
                        + "kl_last=%.4f  kl_mean=%.4f  kl_max=%.4f  stop=%d  inv=%.3f  noop=%.3f",
                result.update(),
                result.steps(),
                result.loss(),
                result.policyLoss(),
                result.valueLoss(),
                result.entropy(),
                result.klLast(),
                result.klMean(),
                result.klMax(),
                result.stopped() ? 1 : 0,
                result.invalidPart(),
                result.noopPart());
    }

    /// The line that is printed from time to time while a known rule is imitated.
    static String imitationLine(UpdateResult result, int updates) {
        return String.format(
                Locale.ROOT,
                "[PPO] imitation=%d/%d  loss=%.3f  pg=%.3f  v=%.3f  ent=%.3f",
                result.update(),
                updates,
                result.loss(),
                result.policyLoss(),
                result.valueLoss(),
                result.entropy());
    }

    /// The line that is printed for an evaluation at the end.
    ///
    /// @param seeds what the seeds are called: `VAL` or `REPORT`
    static String line(String seeds, PolicyEvaluation by, PolicyEvaluation.Result result) {
        return String.format(
                Locale.ROOT,
                "[PPO][%s] Avg total reward over %d eval episodes: %.3f  invalid_frac=%.3f  "
                        + "noop_frac=%.3f  seed_base=%d",
                seeds,
                by.blocks() * by.episodes(),
                result.mean(),
                result.invalidPart(),
                result.noopPart(),
                by.firstSeed());
    }
}
