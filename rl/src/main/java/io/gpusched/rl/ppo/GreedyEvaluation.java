package io.gpusched.rl.ppo;

import io.gpusched.rl.network.NeuralNetwork;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Plays episodes with consecutive seeds greedily, on several threads.
///
/// @param firstSeed of the first episode of the first block
/// @param blocks how many blocks there are
/// @param episodes how many episodes a block has
record GreedyEvaluation(long firstSeed, int blocks, int episodes) {
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
        int parts = Math.min(all.length, 4);
        threads.run(
                parts,
                part -> {
                    LearningEnvironment environment = environments.get();
                    var policy = new GreedyPolicy("", network, weights);
                    for (int i = part; i < all.length; i += parts) {
                        all[i] = play(policy, environment, firstSeed + i);
                    }
                });
        var means = new ArrayList<Double>();
        for (int block = 0; block < blocks; block++) {
            double sum = 0;
            for (int i = 0; i < episodes; i++) {
                sum += all[block * episodes + i].total;
            }
            means.add(sum / episodes);
        }
        double invalid = 0;
        double noop = 0;
        for (Episode each : all) {
            invalid += each.invalidPart / all.length;
            noop += each.noopPart / all.length;
        }
        double mean = means.stream().mapToDouble(each -> each).average().orElse(Double.NaN);
        return new Result(mean, means, invalid, noop);
    }

    private static Episode play(GreedyPolicy policy, LearningEnvironment environment, long seed) {
        environment.reset(seed);
        double total = 0;
        int steps = 0;
        int noops = 0;
        int invalid = 0;
        while (!environment.isOver()) {
            int action = policy.choose(environment.observation(), environment.allowed());
            total += environment.step(action);
            steps++;
            noops += action == 0 ? 1 : 0;
            invalid += environment.wasInvalid() ? 1 : 0;
        }
        return new Episode(total, (double) invalid / steps, (double) noops / steps);
    }
}
