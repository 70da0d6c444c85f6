package io.gpusched.rl.ppo;

import io.gpusched.rl.network.NeuralNetwork;
import io.gpusched.sim.scenario.SeededRandom;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Plays episodes with consecutive seeds by a network, on several threads.
///
/// @param firstSeed of the first episode of the first block
/// @param blocks how many blocks there are
/// @param episodes how many episodes a block has
/// @param greedy whether the best action is taken; otherwise actions are drawn by probability
record PolicyEvaluation(long firstSeed, int blocks, int episodes, boolean greedy) {
    private static final int PARTS = 4;

    /// The result of all episodes; fractions are means over episodes.
    ///
    /// @param blocks the mean return of each block
    record Result(double mean, List<Double> blocks, double invalidPart, double noopPart) {
        Result {
            blocks = List.copyOf(blocks);
        }

        double least() {
            return blocks.stream().mapToDouble(each -> each).min().orElse(Double.NaN);
        }

        double most() {
            return blocks.stream().mapToDouble(each -> each).max().orElse(Double.NaN);
        }
    }

    private record Episode(double total, double invalidPart, double noopPart) {}

    Result of(
            NeuralNetwork network,
            float[] weights,
            Supplier<? extends LearningEnvironment> environments,
            WorkerThreads threads) {
        var all = new Episode[blocks * episodes];
        threads.run(
                PARTS,
                part -> {
                    LearningEnvironment environment = environments.get();
                    var policy = new NetworkPolicy("network", network, weights);
                    for (int i = part; i < all.length; i += PARTS) {
                        all[i] = play(policy, environment, firstSeed + i);
                    }
                });
        var means = new ArrayList<Double>();
        double invalid = 0;
        double noop = 0;
        for (int block = 0; block < blocks; block++) {
            double sum = 0;
            for (int i = block * episodes; i < (block + 1) * episodes; i++) {
                sum += all[i].total;
                invalid += all[i].invalidPart / all.length;
                noop += all[i].noopPart / all.length;
            }
            means.add(sum / episodes);
        }
        double mean = means.stream().mapToDouble(each -> each).average().orElse(Double.NaN);
        return new Result(mean, means, invalid, noop);
    }

    private Episode play(NetworkPolicy policy, LearningEnvironment environment, long seed) {
        var random = SeededRandom.of(seed, "evaluation", 0);
        environment.reset(seed);
        double total = 0;
        int steps = 0;
        int noops = 0;
        int invalid = 0;
        while (!environment.isOver()) {
            float[] seen = environment.observation();
            boolean[] allowed = environment.allowed();
            int action =
                    greedy ? policy.best(seen, allowed) : policy.draw(seen, allowed, random.unit());
            total += environment.step(action);
            steps++;
            noops += action == 0 ? 1 : 0;
            invalid += environment.wasInvalid() ? 1 : 0;
        }
        return new Episode(total, (double) invalid / steps, (double) noops / steps);
    }
}
