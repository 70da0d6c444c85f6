package io.gpusched.core.policy.gate;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// Holds a job back until power is forecast to be cleanest for as long as it will run, but never
/// longer than its slack after it was submitted. A job that names a limit is content with the first
/// start from which the mean is within it.
///
///     now      submitted + slack
///      |--------------|                 starts that may be chosen
///           |=========job=========|     the one whose slots cost the least together
///
/// Important jobs are not held back. After its start a job waits for capacity like any other: the
/// choice is made anew at every turn, among the remaining starts, so a job that then finds no
/// capacity takes the best of what remains. The gate keeps no state.
///
/// Forecasts and slacks are those of the ledger, so that they are replayed with it. A study may
/// give all jobs one forecast and one slack instead. Jobs of one class then differ in the time of
/// their submission: the oldest, which is tried for all of them, has the fewest starts to choose
/// from and never waits for a start that a younger one would not wait for.
public final class CarbonGate implements Gate {
    /// One forecast for all jobs.
    private record Study(
            CarbonForecast forecast, Duration slack, int upToPriority, Duration assumed) {}

    private final @Nullable Study study;

    /// A gate that goes by the forecasts and the jobs in the ledger.
    public CarbonGate() {
        this.study = null;
    }

    /// @param slack the latest start that this gate may cause, counted from submission
    /// @param upTo the highest priority that is held back
    /// @param assumed how long a job without an expectation is assumed to run
    public CarbonGate(CarbonForecast forecast, Duration slack, int upTo, Duration assumed) {
        this.study = new Study(forecast, slack, upTo, assumed);
    }

    @Override
    public @Nullable Refusal refuse(Job job, ClusterView cluster, Instant now) {
        if (study != null) {
            Duration runs = job.spec().planned(study.assumed);
            return job.spec().isReplica() || job.priority() > study.upToPriority
                    ? null
                    : refuse(study.forecast, job.submitted().plus(study.slack), 0, runs, now);
        }
        Instant latest = job.mayShiftUntil();
        CarbonForecast forecast =
                latest == null ? null : cluster.carbon().forecast(job.spec(), now);
        if (latest == null || forecast == null) {
            return null;
        }
        Duration runs = job.spec().planned(cluster.runs().assumedRuntime());
        return refuse(forecast, latest, job.spec().carbon().maxGramsPerKwh(), runs, now);
    }

    /// @param enough how clean power needs to be; 0 to wait for the cleanest
    private static @Nullable Refusal refuse(
            CarbonForecast forecast, Instant latest, int enough, Duration runs, Instant now) {
        int first = forecast.slotAt(now);
        int last = forecast.slotAt(latest);
        if (first < 0 || last <= first) {
            return null;
        }
        int length = slots(runs, forecast.slot());
        int best =
                enough == 0
                        ? -1
                        : forecast.firstStartUpTo(enough, first, last + length - 1, length);
        if (best < 0) {
            best = forecast.cleanestStart(first, last + length - 1, length);
        }
        if (best == first) {
            return null;
        }
        String why =
                String.format(
                        Locale.ROOT,
                        "power is expected to be cleaner from %s: %s instead of %s g/kWh",
                        forecast.start(best),
                        grams(forecast.mean(best, length)),
                        grams(forecast.mean(first, length)));
        return new Refusal("carbon", why, List.of(new RetryCondition.At(forecast.start(best))));
    }

    @Override
    public boolean goesByLength() {
        return study != null;
    }

    private static String grams(double mean) {
        return Long.toString(Math.round(mean));
    }

    private static int slots(Duration runs, Duration slot) {
        long whole = runs.dividedBy(slot);
        boolean more = slot.multipliedBy(whole).compareTo(runs) < 0;
        return Math.clamp(more ? whole + 1 : whole, 1, 1_000_000);
    }
}
