package io.gpusched.core.forecast;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// The time at which a job is expected to start, as three quantiles over the simulated runs. A
/// quantile is null if the job did not start in too many of the runs.
///
/// @param early the job starts earlier in one run of ten
/// @param middle the median
/// @param late the job starts later in one run of ten
public record StartEstimate(
        @Nullable Instant early, @Nullable Instant middle, @Nullable Instant late) {
    /// @param sorted the starts in the simulated runs in which the job started, in order
    /// @param runs the number of simulated runs
    static StartEstimate of(Instant[] sorted, int runs) {
        return new StartEstimate(
                at(sorted, runs, 0.1), at(sorted, runs, 0.5), at(sorted, runs, 0.9));
    }

    /// The estimate as of `now`: times that have passed become `now`.
    public StartEstimate from(Instant now) {
        return new StartEstimate(
                notBefore(now, early), notBefore(now, middle), notBefore(now, late));
    }

    private static @Nullable Instant notBefore(Instant now, @Nullable Instant time) {
        return time != null && time.isBefore(now) ? now : time;
    }

    private static @Nullable Instant at(Instant[] sorted, int runs, double part) {
        int index = Math.clamp((int) Math.floor(part * runs), 0, runs - 1);
        return index < sorted.length ? sorted[index] : null;
    }
}
