package io.gpusched.core.forecast;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// When a job is expected to start. A time is null when in so many of the runs ahead it did not
/// start within what was looked at.
///
/// @param early one in ten starts earlier
/// @param middle as likely earlier as later
/// @param late one in ten starts later
public record StartEstimate(
        @Nullable Instant early, @Nullable Instant middle, @Nullable Instant late) {
    /// @param sorted the starts of all runs ahead, in order, those that did not start left out
    /// @param runs how many runs there were
    static StartEstimate of(Instant[] sorted, int runs) {
        return new StartEstimate(
                at(sorted, runs, 0.1), at(sorted, runs, 0.5), at(sorted, runs, 0.9));
    }

    /// The same as it is told later: what should have happened by then happens then.
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
