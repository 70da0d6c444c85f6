package io.gpusched.store;

import java.util.Map;

/// The figures of one step of the history, of the cluster or of one tenant.
///
/// @param step length in seconds
/// @param at where it begins, in seconds since 1970; a multiple of `step`
/// @param tenant empty for the cluster
/// @param samples how many samples the means are of; for a tenant, as for the cluster
/// @param measured how many of them had readings of the hardware
/// @param figures a figure that is absent is unknown
/// @param waits how long the jobs that started in this step had waited
public record HistoryRow(
        int step,
        long at,
        String tenant,
        int samples,
        int measured,
        Map<HistoryColumn, Double> figures,
        WaitSketch waits) {
    public HistoryRow {
        figures = Map.copyOf(figures);
    }
}
