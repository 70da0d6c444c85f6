package io.gpusched.core.policy;

import java.util.List;

/// A rule's no, with its reason and what would lift it.
///
/// @param by the rule's name
/// @param why a phrase for people, the same for all nodes it is true of, so that they can be
///        counted
public record Refusal(String by, String why, List<RetryCondition> liftedBy) {
    /// The [#distance] of what a node is.
    public static final int FARTHEST = 3;

    public Refusal {
        liftedBy = List.copyOf(liftedBy);
    }

    /// Lifted when capacity appears.
    public static Refusal untilCapacity(String by, String why) {
        return new Refusal(by, why, List.of(new RetryCondition.Capacity()));
    }

    /// Lifted when the fleet changes.
    public static Refusal untilFleet(String by, String why) {
        return new Refusal(by, why, List.of(new RetryCondition.Fleet()));
    }

    /// How far it is from being lifted, by the nearest of its lifts; see [RetryCondition#distance].
    public int distance() {
        int nearest = FARTHEST;
        for (RetryCondition retryCondition : liftedBy) {
            nearest = Math.min(nearest, retryCondition.distance());
        }
        return nearest;
    }
}
