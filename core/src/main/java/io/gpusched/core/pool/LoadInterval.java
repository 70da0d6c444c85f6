package io.gpusched.core.pool;

import io.gpusched.core.model.Digest;

import java.util.List;

/// What all sources counted in one interval of [LoadHistory#SECONDS] seconds.
///
/// @param number the interval's start in seconds since the epoch, divided by its length
/// @param milliSources how many sources counted, in thousandths, weighted by the time covered: 1000
///        when one source reported on the whole interval
public record LoadInterval(
        long number,
        int milliSources,
        int arrivals,
        int rejected,
        int answered,
        int withinSlo,
        int toolCalls,
        long promptTokens,
        long outputTokens) {
    static LoadInterval empty(long number) {
        return new LoadInterval(number, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /// This interval with a report counted in.
    LoadInterval plus(PoolLoad load) {
        long covered = load.over().toMillis() / LoadHistory.SECONDS;
        return new LoadInterval(
                number,
                (int) Math.min(1_000_000, milliSources + covered),
                arrivals + load.arrivals(),
                rejected + load.rejected(),
                answered + load.answered(),
                withinSlo + load.withinSlo(),
                toolCalls + load.toolCalls(),
                promptTokens + load.promptTokens(),
                outputTokens + load.outputTokens());
    }

    /// The sum of two intervals, with the number of this one.
    LoadInterval plus(LoadInterval other) {
        return new LoadInterval(
                number,
                milliSources + other.milliSources,
                arrivals + other.arrivals,
                rejected + other.rejected,
                answered + other.answered,
                withinSlo + other.withinSlo,
                toolCalls + other.toolCalls,
                promptTokens + other.promptTokens,
                outputTokens + other.outputTokens);
    }

    long fingerprint(long hash) {
        long mixed = hash;
        for (long value :
                List.of(
                        number,
                        (long) milliSources,
                        (long) arrivals,
                        (long) rejected,
                        (long) answered,
                        (long) withinSlo,
                        (long) toolCalls,
                        promptTokens,
                        outputTokens)) {
            mixed = Digest.mix(mixed, value);
        }
        return mixed;
    }
}
