package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

import java.time.Duration;
import java.util.List;

/// How fast a pool may change its size in one direction, as in the Kubernetes autoscaler.
///
/// @param stabilization the most cautious recommendation of this time counts
/// @param steps each limits the change within its period; none means no limit
public record ScaleBehavior(Duration stabilization, Select select, List<Step> steps) {
    /// Which of several steps counts.
    public enum Select {
        LARGEST,
        SMALLEST,
        DISABLED
    }

    /// At most `value` replicas, or percent of the replicas at the start of the period.
    public record Step(boolean percent, int value, Duration period) {
        public Step {
            Check.that(value > 0, "a step is more than 0, found %s", value);
            Check.that(period.isPositive(), "a period is more than 0, found %s", period);
        }
    }

    /// Up: at once, by 4 replicas or to the double in 15 s, whichever is more.
    public static final ScaleBehavior UP =
            new ScaleBehavior(
                    Duration.ZERO,
                    Select.LARGEST,
                    List.of(
                            new Step(false, 4, Duration.ofSeconds(15)),
                            new Step(true, 100, Duration.ofSeconds(15))));

    /// Down: to the largest recommendation of five minutes.
    public static final ScaleBehavior DOWN =
            new ScaleBehavior(
                    Duration.ofMinutes(5),
                    Select.LARGEST,
                    List.of(new Step(true, 100, Duration.ofSeconds(15))));

    /// Down after half a minute, for a law that has its own margin.
    public static final ScaleBehavior DOWN_SOON =
            new ScaleBehavior(Duration.ofSeconds(30), DOWN.select(), DOWN.steps());

    public ScaleBehavior {
        steps = List.copyOf(steps);
        Check.that(!stabilization.isNegative(), "a window is not negative: %s", stabilization);
    }
}
