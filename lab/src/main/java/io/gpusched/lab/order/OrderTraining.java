package io.gpusched.lab.order;

import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.rl.evolve.EvolutionStrategy;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Trains an order, generation by generation. It keeps the best model by validation. The result
/// follows from the seed and the settings, whatever the number of threads and interruptions.
public final class OrderTraining implements AutoCloseable {
    /// @param every generations between two validations
    public record Plan(
            EvolutionStrategy.Settings settings, long seed, int generations, int every) {}

    /// What a generation gave.
    ///
    /// @param cost the mean cost of the candidates
    /// @param validation the cost of the average weights on the sequences or slices that choose the
    ///        best generation; NaN if they were not judged
    /// @param best whether they are the best so far
    public record Result(int generation, double cost, double validation, boolean best) {}

    private final Plan plan;
    private final OrderObjective objective;
    private final EvolutionStrategy strategy;
    private final ExecutorService threads;
    private float[] best;
    private double bestCost;

    /// @param progress where the run begins or continues
    public OrderTraining(Plan plan, OrderObjective objective, Progress progress, int threads) {
        this.plan = plan;
        this.objective = objective;
        this.strategy = new EvolutionStrategy(plan.settings, plan.seed, progress.state());
        this.best = progress.best();
        this.bestCost = progress.bestCost();
        this.threads =
                Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().daemon().name("order-", 1).factory());
    }

    /// How many generations are over.
    public int generation() {
        return strategy.state().generation();
    }

    public boolean isOver() {
        return strategy.state().generation() >= plan.generations;
    }

    /// Judges the rule that a new run begins with: a model must be better than it.
    public Result judgeRule() {
        bestCost = objective.validation(best());
        return new Result(0, Double.NaN, bestCost, true);
    }

    /// Trains for one generation.
    public Result next() {
        int generation = strategy.state().generation();
        var costs = new ArrayList<Future<Double>>();
        for (int i = 0; i < strategy.candidates(); i++) {
            ScoreModel model = InitialOrder.model(objective.encoder(), strategy.candidate(i));
            costs.add(threads.submit(() -> objective.cost(model, generation)));
        }
        var fitness = new double[costs.size()];
        double sum = 0;
        for (int i = 0; i < fitness.length; i++) {
            double cost = await(costs.get(i));
            fitness[i] = -cost;
            sum += cost;
        }
        strategy.learn(fitness, rate(generation));
        boolean judged = (generation + 1) % plan.every == 0 || isOver();
        double validation =
                judged
                        ? objective.validation(
                                InitialOrder.model(objective.encoder(), strategy.average()))
                        : Double.NaN;
        boolean better = judged && validation < bestCost;
        if (better) {
            bestCost = validation;
            best = strategy.average();
        }
        return new Result(generation + 1, sum / fitness.length, validation, better);
    }

    /// The rate falls in the second half of the training.
    private double rate(int generation) {
        return Math.min(1, 2.1 - 2.0 * generation / plan.generations);
    }

    private static double await(Future<Double> cost) {
        try {
            return cost.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an order could not be judged", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while orders were judged", e);
        }
    }

    /// Where the run is now.
    public Progress progress() {
        return new Progress(strategy.state(), best.clone(), bestCost);
    }

    /// The best model so far.
    public ScoreModel best() {
        return InitialOrder.model(objective.encoder(), best);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /// A run that is under way.
    public static final class Progress {
        private final EvolutionStrategy.State state;
        private final float[] best;
        private final double bestCost;

        Progress(EvolutionStrategy.State state, float[] best, double bestCost) {
            this.state = state;
            this.best = best;
            this.bestCost = bestCost;
        }

        /// The beginning of a run.
        ///
        /// @param hidden the number of hidden units of the network
        public static Progress begin(long seed, int hidden) {
            float[] weights = InitialOrder.weights(seed, hidden);
            return new Progress(
                    new EvolutionStrategy.State(weights), weights, Double.POSITIVE_INFINITY);
        }

        EvolutionStrategy.State state() {
            return state;
        }

        float[] best() {
            return best.clone();
        }

        double bestCost() {
            return bestCost;
        }
    }
}
