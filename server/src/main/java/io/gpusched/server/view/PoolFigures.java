package io.gpusched.server.view;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.LoadInterval;
import io.gpusched.core.pool.LoadNow;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// What was reported of a pool's load: the present figures, and rates of the last minute.
///
/// @param newest when the last report came; null before the first one
/// @param sloPercent of the requests that were answered in the last minute; NaN when none was
/// @param firstTokenP95 in milliseconds; NaN when no first token was reported
public record PoolFigures(
        @Nullable Instant newest,
        LoadNow now,
        double arrivalsPerSecond,
        double tokensPerSecond,
        double sloPercent,
        double firstTokenP95,
        double toolCallsPerSecond) {
    private static final Duration WINDOW = Duration.ofMinutes(1);

    static PoolFigures of(LoadHistory load, Instant at, Duration staleAfter) {
        LoadHistory.Sample newest = load.newest();
        LoadInterval sum = load.sum(at, WINDOW);
        double seconds = WINDOW.toSeconds();
        long answered = sum.of(LoadCount.ANSWERED);
        long covered = sum.of(LoadCount.FIRST_TOKEN_COVERED);
        return new PoolFigures(
                newest == null ? null : newest.at(),
                load.since(at.minus(staleAfter)),
                sum.of(LoadCount.ARRIVALS) / seconds,
                sum.of(LoadCount.OUTPUT_TOKENS) / seconds,
                answered == 0 ? Double.NaN : 100.0 * sum.of(LoadCount.WITHIN_SLO) / answered,
                covered == 0 ? Double.NaN : (double) sum.of(LoadCount.FIRST_TOKEN) / covered,
                sum.of(LoadCount.TOOL_CALLS) / seconds);
    }

    /// The same when the last report is too old to say anything.
    PoolFigures outdated() {
        return new PoolFigures(
                newest, LoadNow.NONE, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
}
