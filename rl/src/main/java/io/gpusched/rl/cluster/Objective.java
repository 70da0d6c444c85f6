package io.gpusched.rl.cluster;

import io.gpusched.core.model.Check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a player is rewarded for: a weighted sum of goals. Every goal is a cost that grows with
/// time, so a reward says at once what the last step has cost.
///
/// @param weights by goal; at least one is positive
public record Objective(Map<Goal, Double> weights) {
    /// A cost per second. Each is scaled by the jobs of the episode, so that goals can be mixed.
    public enum Goal {
        /// The mean wait, in mean runtimes.
        WAIT,
        /// The mean bounded slowdown.
        SLOWDOWN,
        /// The mean time from submission to end, in mean runtimes.
        COMPLETION,
        /// How unequally tenants wait: 1 minus Jain's index of their waiting GPUs, over the time in
        /// which the cluster could do all work.
        FAIRNESS,
        /// Energy of all GPUs, as a part of what they use at full load in the time in which they
        /// could do all work.
        ENERGY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The names of the goals.
    public static final List<String> NAMES =
            List.of("wait", "slowdown", "completion", "fairness", "energy");

    public Objective {
        weights = Map.copyOf(weights);
        double sum = 0;
        for (Goal goal : Goal.values()) {
            double weight = weights.getOrDefault(goal, 0.0);
            Check.that(weight >= 0, "the weight of a goal is not negative, found %s", weight);
            sum += weight;
        }
        Check.that(sum > 0, "an objective has a goal with a positive weight");
    }

    public static Objective of(Goal goal) {
        return new Objective(Map.of(goal, 1.0));
    }

    /// Reads one goal, or several with weights: `slowdown`, or `wait=0.7,energy=0.3`. Throws
    /// [IllegalArgumentException], which names the part that is wrong and the goals.
    public static Objective parse(String text) {
        var weights = new LinkedHashMap<Goal, Double>();
        for (String part : text.split(",", -1)) {
            String[] sides = part.strip().split("=", 2);
            if (!NAMES.contains(sides[0])) {
                throw new IllegalArgumentException(
                        "expected goals of %s, found %s"
                                .formatted(String.join(", ", NAMES), part.strip()));
            }
            weights.put(
                    Goal.valueOf(sides[0].toUpperCase(Locale.ROOT)),
                    sides.length == 1 ? 1.0 : weight(sides[1], part));
        }
        if (weights.values().stream().noneMatch(weight -> weight > 0)) {
            throw new IllegalArgumentException("expected a weight above 0, found " + text);
        }
        return new Objective(weights);
    }

    private static double weight(String text, String part) {
        try {
            double weight = Double.parseDouble(text);
            if (weight >= 0 && weight < 1e9) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new IllegalArgumentException(
                "expected a weight from 0 on, such as wait=0.5, found " + part.strip());
    }

    double weight(Goal goal) {
        return weights.getOrDefault(goal, 0.0);
    }
}
