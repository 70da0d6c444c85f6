package io.gpusched.core.model;

import java.time.Duration;

/// Rules for nodes that refuse to start jobs, and for runs that are lost.
///
/// @param cordonAfter the scheduler cordons a node after it refused this many different jobs that
///        then started elsewhere, all within `window`, with no task started on the node in
///        between; 0 for never
/// @param avoidFor how long a job is not placed again on a node that refused to start it, if
///        another node could run it
/// @param forgiveAfter every run of this length cancels one earlier loss of the job
public record FaultRules(
        int cordonAfter, Duration window, Duration avoidFor, Duration forgiveAfter) {
    public static final FaultRules DEFAULT =
            new FaultRules(3, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

    /// The scheduler remembers at most this many refusals of one node.
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

    /// How many of `losses` a run of this length cancels.
    public int forgives(int losses, Duration ran) {
        return (int) Math.min(losses, Math.max(0, ran.dividedBy(forgiveAfter)));
    }
}
