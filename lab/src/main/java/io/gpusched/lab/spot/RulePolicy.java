package io.gpusched.lab.spot;

import io.gpusched.core.spot.DeadlineJob;
import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.core.spot.SpotChoice;
import io.gpusched.core.spot.SpotHistory;
import io.gpusched.core.spot.SpotPrices;

import org.jspecify.annotations.Nullable;

/// The rule of the scheduler, driven by the experiment. It sees the trace tick by tick.
final class RulePolicy implements DeadlinePolicy {
    private static final SpotPrices PRICES =
            new SpotPrices(
                    Math.round(DeadlineRun.SPOT_PRICE * 1e6),
                    Math.round(DeadlineRun.ON_DEMAND_PRICE * 1e6));

    private final DeadlineRule rule;
    private @Nullable SpotHistory history;

    RulePolicy(DeadlineRule rule) {
        this.rule = rule;
    }

    @Override
    public SpotChoice choose(DeadlineState state) {
        long now = millis(state.now());
        history =
                history == null
                        ? SpotHistory.begin(now, state.has())
                        : history.seen(now, state.has());
        var job =
                new DeadlineJob(
                        millis(state.timeLeft()),
                        millis(state.remaining()),
                        millis(state.overhead()),
                        millis(state.overheadLeft()),
                        state.current(),
                        millis(state.tick()));
        return rule.decide(now, job, PRICES, history).choice();
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1000);
    }
}
