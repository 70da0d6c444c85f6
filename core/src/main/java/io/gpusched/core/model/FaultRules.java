package io.gpusched.core.model;

import java.time.Duration;

/// What the scheduler does about nodes that refuse to start jobs, and about runs that are lost.
///
/// @param cordonAfter the scheduler cordons a node that refused so many different jobs which then
///        started elsewhere, all within `window`, with no task started on the node in between; 0
///        for never
/// @param avoidFor how long a job is not placed again on a node that refused to start it, if
///        another node could take it
/// @param forgiveAfter every run of this length takes one earlier loss of the job off its count
public record FaultRules(
        int cordonAfter, Duration window, Duration avoidFor, Duration forgiveAfter) {
    public static final FaultRules DEFAULT =
            new FaultRules(3, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

    /// The scheduler remembers no more refusals of one node.
    public static final int MOST_REFUSALS = 100;

    public FaultRules {
        Check.that(
                cordonAfter >= 0 && cordonAfter <= MOST_REFUSALS,
                "a node is cordoned after 0 to %s refusals, found %s",
                MOST_REFUSALS,
                cordonAfter);
        Check.that(
                !window.isNegative() && !avoidFor.isNegative() && forgiveAfter.isPositive(),
                "times are not negative, found %s, %s and %s",
                window,
                avoidFor,
                forgiveAfter);
    }

    /// How many of `losses` a run of this length makes up for.
    public int forgives(int losses, Duration ran) {
        return (int) Math.min(losses, Math.max(0, ran.dividedBy(forgiveAfter)));
    }
}
