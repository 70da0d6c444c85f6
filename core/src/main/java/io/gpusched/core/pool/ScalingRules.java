package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// How a pool finds its size.
///
/// @param law the name of the rule that recommends a size: `slo`, `targets`, `tokens`, `static`, or
///        one of a plug-in
/// @param targets used by the law `targets`
/// @param replicaTokensPerSecond what one replica is assumed to generate until it was measured; 0
///        where nothing is known
/// @param queue scaling by queue lag, or null
/// @param cooldown how long a pool must be idle before its last replica is stopped
/// @param every how often the size is decided
/// @param staleAfter reports older than this are not used, and the size stays as it is
public record ScalingRules(
        String law,
        List<MetricTarget> targets,
        long replicaTokensPerSecond,
        @Nullable QueueRule queue,
        List<ScheduledSize> schedules,
        ScaleBehavior up,
        ScaleBehavior down,
        Duration cooldown,
        Duration every,
        Duration staleAfter) {
    public ScalingRules {
        targets = List.copyOf(targets);
        schedules = List.copyOf(schedules);
        Check.that(!law.isEmpty(), "the name of the law is empty");
        Check.that(every.isPositive(), "the interval is more than 0, found %s", every);
        Check.that(!cooldown.isNegative(), "a cool-down is not negative, found %s", cooldown);
        Check.that(staleAfter.isPositive(), "an age is more than 0, found %s", staleAfter);
    }

    /// The SLO scaler with the usual intervals. It plans with a margin against noise itself, so it
    /// needs little stabilisation.
    public static ScalingRules slo() {
        ScalingRules usual = of("slo");
        return new ScalingRules(
                usual.law,
                usual.targets,
                usual.replicaTokensPerSecond,
                usual.queue,
                usual.schedules,
                usual.up,
                ScaleBehavior.DOWN_SOON,
                usual.cooldown,
                usual.every,
                usual.staleAfter);
    }

    /// A law without targets, with the usual intervals.
    public static ScalingRules of(String law) {
        return new ScalingRules(
                law,
                List.of(),
                0,
                null,
                List.of(),
                ScaleBehavior.UP,
                ScaleBehavior.DOWN,
                Duration.ofMinutes(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30));
    }
}
