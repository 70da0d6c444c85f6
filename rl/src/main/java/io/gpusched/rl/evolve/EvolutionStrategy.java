package io.gpusched.rl.evolve;

import io.gpusched.core.model.Check;
import io.gpusched.sim.scenario.SeededRandom;

import java.util.Arrays;
import java.util.Comparator;

/// An evolution strategy with mirrored samples, as in Salimans and others (2017): it judges pairs
/// of weights, `w + σe` and `w − σe` for a random direction `e`, and moves towards the better
/// halves.
///
///     generation ──▶ candidates ──▶ the caller's fitness of each ──▶ learn ──▶ next generation
///
/// Only the ranks of the fitness values count, so their unit does not matter and no outlier
/// dominates. Adam scales the step of each weight. [#average] is the exponential mean of the
/// weights so far; it is less noisy than the weights of one generation and usually the better
/// model.
///
/// All random numbers follow from the seed and the number of the generation. So a run that is
/// continued from a [State] equals one that was never interrupted.
public final class EvolutionStrategy {
    private static final double KEEP_FIRST = 0.9;
    private static final double KEEP_SECOND = 0.99;

    /// @param pairs mirrored candidates per generation
    /// @param spread the standard deviation of a candidate's weights
    /// @param rate how far a weight moves in one generation at most, about
    /// @param keep the part of the average that the next generation keeps
    public record Settings(int pairs, double spread, double rate, double keep) {
        public static final Settings USUAL = new Settings(16, 0.05, 0.02, 0.97);

        public Settings {
            Check.that(pairs >= 2, "a generation has at least 2 pairs, found %s", pairs);
            Check.that(spread > 0 && rate > 0, "spread %s and rate %s are positive", spread, rate);
            Check.that(keep >= 0 && keep < 1, "the part that is kept is 0 to 1, found %s", keep);
        }
    }

    private final Settings settings;
    private final long seed;
    private final State state;

    /// Continues from a state, which it changes.
    public EvolutionStrategy(Settings settings, long seed, State state) {
        this.settings = settings;
        this.seed = seed;
        this.state = state;
    }

    public State state() {
        return state;
    }

    /// The number of candidates of a generation.
    public int candidates() {
        return 2 * settings.pairs;
    }

    /// The weights of a candidate of the present generation; candidates 2i and 2i + 1 are mirrored.
    public float[] candidate(int number) {
        var weights = state.weights.clone();
        SeededRandom random = direction(number / 2);
        double spread = number % 2 == 0 ? settings.spread : -settings.spread;
        for (int i = 0; i < weights.length; i++) {
            weights[i] += (float) (spread * random.normal());
        }
        return weights;
    }

    private SeededRandom direction(int pair) {
        return SeededRandom.of(seed, "direction " + state.generation, pair);
    }

    /// Moves the weights and begins the next generation.
    ///
    /// @param fitness of each candidate, a finite number; larger is better
    /// @param rate the factor on the rate of the settings, to let it fall during training
    public void learn(double[] fitness, double rate) {
        Check.that(
                fitness.length == candidates(),
                "expected the fitness of %s candidates, found %s",
                candidates(),
                fitness.length);
        double[] ranks = ranks(fitness);
        var gradient = new double[state.weights.length];
        for (int pair = 0; pair < settings.pairs; pair++) {
            double better = ranks[2 * pair] - ranks[2 * pair + 1];
            SeededRandom random = direction(pair);
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] += better * random.normal() / settings.pairs;
            }
        }
        state.generation++;
        step(gradient, rate * settings.rate);
    }

    private void step(double[] gradient, double rate) {
        double first = 1 - StrictMath.pow(KEEP_FIRST, state.generation);
        double second = 1 - StrictMath.pow(KEEP_SECOND, state.generation);
        for (int i = 0; i < gradient.length; i++) {
            double g = gradient[i];
            state.first[i] = (float) (KEEP_FIRST * state.first[i] + (1 - KEEP_FIRST) * g);
            state.second[i] = (float) (KEEP_SECOND * state.second[i] + (1 - KEEP_SECOND) * g * g);
            double scale = Math.sqrt(state.second[i] / second) + 1e-8;
            state.weights[i] += (float) (rate * state.first[i] / first / scale);
            state.average[i] +=
                    (float) ((1 - settings.keep) * (state.weights[i] - state.average[i]));
        }
    }

    /// The exponential mean of the weights so far.
    public float[] average() {
        return state.average.clone();
    }

    /// Ranks from -0.5 for the worst to 0.5 for the best; equal values share the mean of their
    /// ranks.
    static double[] ranks(double[] fitness) {
        for (double value : fitness) {
            Check.that(Double.isFinite(value), "a fitness is a finite number, found %s", value);
        }
        var order = new Integer[fitness.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> fitness[i]));
        var ranks = new double[fitness.length];
        for (int from = 0; from < order.length; ) {
            int to = from;
            while (to + 1 < order.length && fitness[order[to + 1]] == fitness[order[from]]) {
                to++;
            }
            double rank = (from + to) / 2.0 / (fitness.length - 1) - 0.5;
            for (int i = from; i <= to; i++) {
                ranks[order[i]] = rank;
            }
            from = to + 1;
        }
        return ranks;
    }

    /// Everything that a continued run needs.
    public static final class State {
        private final float[] weights;
        private final float[] average;
        private final float[] first;
        private final float[] second;
        private int generation;

        /// The beginning of a run.
        public State(float[] weights) {
            this(0, weights, weights, new float[weights.length], new float[weights.length]);
        }

        private State(
                int generation, float[] weights, float[] average, float[] first, float[] second) {
            this.generation = generation;
            this.weights = weights.clone();
            this.average = average.clone();
            this.first = first.clone();
            this.second = second.clone();
        }

        /// The state that [#numbers] showed.
        public static State of(int generation, float[] numbers) {
            Check.that(numbers.length % 4 == 0, "%s numbers are not a state", numbers.length);
            int size = numbers.length / 4;
            return new State(
                    generation,
                    Arrays.copyOfRange(numbers, 0, size),
                    Arrays.copyOfRange(numbers, size, 2 * size),
                    Arrays.copyOfRange(numbers, 2 * size, 3 * size),
                    Arrays.copyOfRange(numbers, 3 * size, 4 * size));
        }

        public int generation() {
            return generation;
        }

        public float[] weights() {
            return weights.clone();
        }

        /// All of it but the generation, to be stored.
        public float[] numbers() {
            int size = weights.length;
            var all = Arrays.copyOf(weights, 4 * size);
            System.arraycopy(average, 0, all, size, size);
            System.arraycopy(first, 0, all, 2 * size, size);
            System.arraycopy(second, 0, all, 3 * size, size);
            return all;
        }
    }
}
