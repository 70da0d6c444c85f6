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

/// Holds a job back until power is foreseen to be cleanest for as long as it will run, but never
/// longer than its slack after it was submitted.
///
///     now      submitted + slack
///      |--------------|                 starts that may be chosen
///           |=========job=========|     the one whose slots cost the least together
///
/// Important jobs are not held back. Once its time has come a job waits for capacity like any
/// other: the choice is made anew at every turn, among the starts that are left, so a job that
/// found no room then takes the best of what remains. Nothing is remembered.
///
/// Jobs of one class have one length and one slack; the oldest, which is asked for all of them, has
/// the fewest starts to choose from and would never wait for one that a younger one would not.
public final class CarbonGate implements Gate {
    private final CarbonForecast forecast;
    private final Duration slack;
    private final int upTo;
    private final Duration assumed;

    /// @param slack how long after its submission a job may start at the latest because of this
    /// @param upTo the highest priority that is held back
    /// @param assumed how long a job is thought to run of which nothing is known
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
        if (job.priority() > upTo || first < 0 || last <= first) {
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
