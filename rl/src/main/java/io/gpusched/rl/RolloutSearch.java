package io.gpusched.rl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Searches for good actions with perfect information: it tries actions on the production core and
/// knows every job that will arrive. No player can know that, so the result is not a policy. It
/// shows how much a policy could still gain.
///
/// Before each step the search tries some of the jobs that can start. Each trial plays the episode
/// to its end by a simple rule. The action of the best end so far is taken, so the result is never
/// worse than the rules alone (a rollout algorithm; Bertsekas, Tsitsiklis and Wu 1997).
///
///     actions so far ──▶ job A ──▶ rule to the end   0.83
///                   └──▶ job B ──▶ rule to the end   0.85   ◀ taken
///
/// A trial costs a whole episode, because the core is played again from the beginning.
public final class RolloutSearch {
    /// The rules that trials are played by: largest GPUs^power/duration first.
    private static final double[] POWERS = {4, 5, 2};

    /// How many jobs of each number of GPUs are tried, from the shortest to the longest.
    private static final int TRIED_PER_WIDTH = 3;

    private final Environment environment;
    private int[] best = new int[0];
    private double bestTotal;

    public RolloutSearch(EnvironmentSettings settings) {
        this.environment = new Environment(settings);
    }

    /// Plays an episode by search and returns the sum of its rewards.
    public double play(long seed) {
        best = new int[0];
        bestTotal = Double.NEGATIVE_INFINITY;
        for (double power : POWERS) {
            complete(seed, new int[0], power);
        }
        for (int length = 0; length < best.length; length++) {
            for (int action : candidates(seed, length)) {
                var actions = Arrays.copyOf(best, length + 1);
                actions[length] = action;
                for (double power : POWERS) {
                    complete(seed, actions, power);
                }
            }
        }
        return bestTotal;
    }

    /// The actions to try after the first `length` actions of the best episode. With fewer than two
    /// there is nothing to choose.
    private List<Integer> candidates(long seed, int length) {
        environment.reset(seed);
        for (int i = 0; i < length; i++) {
            environment.step(best[i]);
        }
        Observation seen = environment.observation();
        var candidates = new ArrayList<Integer>();
        for (int width = 1; width <= environment.settings().gpus(); width++) {
            var jobs = new ArrayList<Integer>();
            for (int place = 0; place < seen.jobs(); place++) {
                if (seen.isFeasible(place) && width(seen, place) == width) {
                    jobs.add(place);
                }
            }
            jobs.sort(Comparator.comparingDouble(seen::length));
            int tried = Math.min(TRIED_PER_WIDTH, jobs.size());
            for (int i = 0; i < tried; i++) {
                int at = tried == 1 ? 0 : i * (jobs.size() - 1) / (tried - 1);
                candidates.add(jobs.get(at) + 1);
            }
        }
        return candidates.size() < 2 ? List.of() : candidates;
    }

    private int width(Observation seen, int place) {
        return Math.round(seen.gpus(place) * environment.settings().gpus());
    }

    /// Plays an episode that begins with these actions, and keeps it if it is the best.
    private void complete(long seed, int[] actions, double power) {
        Observation seen = environment.reset(seed);
        var taken = Arrays.copyOf(actions, environment.settings().maxSteps());
        double total = 0;
        int steps = 0;
        boolean over = false;
        while (!over) {
            if (steps >= actions.length) {
                taken[steps] = choose(seen, power);
            }
            Step step = environment.step(taken[steps++]);
            total += step.reward();
            over = step.isLast();
        }
        if (total > bestTotal) {
            bestTotal = total;
            best = Arrays.copyOf(taken, steps);
        }
    }

    private static int choose(Observation seen, double power) {
        int action = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int place = 0; place < seen.jobs(); place++) {
            if (seen.isFeasible(place)) {
                double score =
                        power * StrictMath.log(seen.gpus(place))
                                - StrictMath.log(seen.length(place));
                if (score > most) {
                    most = score;
                    action = place + 1;
                }
            }
        }
        return action;
    }
}
