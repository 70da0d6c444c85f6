package io.gpusched.core.policy;

import java.util.List;

/// A rule's refusal, with its reason and the conditions for trying again.
///
/// @param by the rule's name
/// @param why a phrase for people, the same for all nodes to which it applies, so that they can be
///        counted
public record Refusal(String by, String why, List<RetryCondition> liftedBy) {
    /// The [#distance] of a refusal that only another node would resolve.
    public static final int FARTHEST = 3;

    public Refusal {
        liftedBy = List.copyOf(liftedBy);
    }

    /// Tried again when capacity is freed.
    public static Refusal untilCapacity(String by, String why) {
        return new Refusal(by, why, List.of(new RetryCondition.Capacity()));
    }

    /// Tried again when the fleet changes.
    public static Refusal untilFleet(String by, String why) {
        return new Refusal(by, why, List.of(new RetryCondition.Fleet()));
    }

    /// How far it is from being resolved, by the nearest of its conditions; see
    /// [RetryCondition#distance].
    public int distance() {
        int nearest = FARTHEST;
        for (RetryCondition retryCondition : liftedBy) {
            nearest = Math.min(nearest, retryCondition.distance());
        }
        return nearest;
    }
}
