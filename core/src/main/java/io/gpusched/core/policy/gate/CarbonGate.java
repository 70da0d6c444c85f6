package io.gpusched.core.policy.gate;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Holds a job back until power is forecast to be cleanest for as long as it will run, but never
/// longer than its slack after it was submitted.
///
///     now      submitted + slack
///      |--------------|                 starts that may be chosen
///           |=========job=========|     the one whose slots cost the least together
///
/// Important jobs are not held back. After its start a job waits for capacity like any other: the
/// choice is made anew at every turn, among the remaining starts, so a job that then finds no
/// capacity takes the best of what remains. The gate keeps no state.
///
/// Jobs of one class have one length and one slack. The oldest, which is tried for all of them, has
/// the fewest starts to choose from and never waits for a start that a younger one would not wait
/// for.
public final class CarbonGate implements Gate {
    private final CarbonForecast forecast;
    private final Duration slack;
    private final int upTo;
    private final Duration assumed;

    /// @param slack the latest start that this gate may cause, counted from submission
    /// @param upTo the highest priority that is held back
    /// @param assumed how long a job without an expectation is assumed to run
    public CarbonGate(CarbonForecast forecast, Duration slack, int upTo, Duration assumed) {
        this.forecast = forecast;
        this.slack = slack;
        this.upTo = upTo;
        this.assumed = assumed;
    }

    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        Instant latest = job.submitted().plus(slack);
        int first = forecast.slotAt(now);
        int last = forecast.slotAt(latest);
        if (job.spec().isReplica() || job.priority() > upTo || first < 0 || last <= first) {
            return null;
        }
        int length = slots(job.spec().planned(assumed));
        int best = forecast.cleanestStart(first, last + length - 1, length);
        return best == first
                ? null
                : new Refusal(
                        "carbon",
                        "power is expected to be cleaner from " + forecast.start(best),
                        List.of(new RetryCondition.At(forecast.start(best))));
    }

    @Override
    public boolean goesByLength() {
        return true;
    }

    private int slots(Duration runs) {
        long whole = runs.dividedBy(forecast.slot());
        boolean more = forecast.slot().multipliedBy(whole).compareTo(runs) < 0;
        return Math.clamp(more ? whole + 1 : whole, 1, 1_000_000);
    }
}
