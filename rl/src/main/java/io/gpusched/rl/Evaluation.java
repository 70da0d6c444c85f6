package io.gpusched.rl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// Evaluates a player over blocks of episodes with consecutive seeds.
///
/// @param firstSeed of the first episode of the first block
/// @param blocks how many blocks there are
/// @param episodes how many episodes a block has
public record Evaluation(long firstSeed, int blocks, int episodes) {
    /// Seeds that nothing is trained on begin after this.
    public static final long SEEDS = 2_000_000;

    /// The result of one episode.
    ///
    /// @param waits actions that were waiting
    /// @param end seconds at which it was over
    /// @param ended jobs that had ended by then
    /// @param style how the GPUs were used
    public record Episode(
            long seed,
            double total,
            int steps,
            int waits,
            int invalid,
            boolean terminated,
            double end,
            int ended,
            PlayStyle style) {
        public double waitPart() {
            return (double) waits / Math.max(1, steps);
        }

        public double invalidPart() {
            return (double) invalid / Math.max(1, steps);
        }
    }

    /// The result of all episodes.
    ///
    /// @param blocks the mean return of each block
    public record Outcome(
            String player,
            double mean,
            List<Double> blocks,
            double invalid,
            double waits,
            List<Episode> episodes) {
        public Outcome {
            blocks = List.copyOf(blocks);
            episodes = List.copyOf(episodes);
        }

        /// The standard error of the mean over all episodes.
        public double standardError() {
            return standardError(episodes.stream().mapToDouble(Episode::total).toArray());
        }

        /// The standard error of a mean; 0 for a single value.
        public static double standardError(double... values) {
            double mean = Arrays.stream(values).average().orElse(Double.NaN);
            double squares = 0;
            for (double value : values) {
                squares += (value - mean) * (value - mean);
            }
            int count = values.length;
            return count < 2 ? 0 : Math.sqrt(squares / (count - 1) / count);
        }

        public double least() {
            return blocks.stream().mapToDouble(each -> each).min().orElse(Double.NaN);
        }

        public double most() {
            return blocks.stream().mapToDouble(each -> each).max().orElse(Double.NaN);
        }
    }

    /// Plays all episodes.
    public Outcome of(ActionPolicy actionPolicy, Environment environment) {
        return of(actionPolicy, environment, episode -> {});
    }

    /// Plays all episodes, and passes each to the caller when it ends.
    public Outcome of(ActionPolicy actionPolicy, Environment environment, Consumer<Episode> over) {
        var all = new ArrayList<Episode>();
        for (int i = 0; i < count(); i++) {
            Episode episode = play(actionPolicy, environment, firstSeed + i);
            all.add(episode);
            over.accept(episode);
        }
        return outcome(actionPolicy.name(), all);
    }

    /// How many episodes there are in all blocks.
    public int count() {
        return blocks * episodes;
    }

    /// The result of all episodes, given in the order of their seeds.
    public Outcome outcome(String player, List<Episode> all) {
        var means = new ArrayList<Double>();
        for (int block = 0; block < blocks; block++) {
            double sum = 0;
            for (int i = block * episodes; i < (block + 1) * episodes; i++) {
                sum += all.get(i).total;
            }
            means.add(sum / episodes);
        }
        return new Outcome(
                player,
                means.stream().mapToDouble(each -> each).average().orElse(Double.NaN),
                means,
                all.stream().mapToDouble(Episode::invalidPart).average().orElse(0),
                all.stream().mapToDouble(Episode::waitPart).average().orElse(0),
                all);
    }

    /// Plays one episode to its end.
    public static Episode play(ActionPolicy actionPolicy, Environment environment, long seed) {
        Observation seen = environment.reset(seed);
        var style = new PlayStyle.Meter(environment);
        double total = 0;
        int waits = 0;
        int invalid = 0;
        while (true) {
            int action = actionPolicy.choose(seen, environment.random());
            style.before(action);
            Step step = environment.step(action);
            style.after();
            total += step.reward();
            waits += action == 0 ? 1 : 0;
            invalid += step.invalid() ? 1 : 0;
            if (step.isLast()) {
                return new Episode(
                        seed,
                        total,
                        environment.steps(),
                        waits,
                        invalid,
                        step.terminated(),
                        environment.now(),
                        environment.ended(),
                        style.style());
            }
        }
    }
}
