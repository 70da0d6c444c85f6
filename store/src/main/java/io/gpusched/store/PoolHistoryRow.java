package io.gpusched.store;

/// The figures of one step of a pool's history.
///
/// @param step length in seconds
/// @param at where it begins, in seconds since 1970; a multiple of `step`
/// @param samples how many samples the means are of
/// @param measured how many of them had answered requests
/// @param replicas that the pool had, also those that did not serve yet
/// @param arrivals requests per second
/// @param firstTokenP95 in milliseconds; NaN where no request was answered
/// @param sloPercent NaN where no request was answered
public record PoolHistoryRow(
        String pool,
        int step,
        long at,
        int samples,
        int measured,
        double replicas,
        double ready,
        double arrivals,
        double tokensPerSecond,
        double costPerHour,
        double firstTokenP95,
        double sloPercent) {}
