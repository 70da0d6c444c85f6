package io.gpusched.server.alert;

import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;

import java.time.Instant;

/// Everything that conditions look at, taken at one moment.
public record AlertPicture(
        Instant at,
        View view,
        LatestReadings readings,
        QueueAges queueAges,
        FragmentedCapacity fragmentedCapacity,
        RecentActivity.Figures recent,
        Store store,
        Learning learning) {

    /// @param silenceSeconds how long ago the store last confirmed that this server owns the
    ///        journal
    /// @param trouble what is wrong with the store, in words; empty when nothing is
    public record Store(double silenceSeconds, String trouble) {}

    /// @param choices scores computed so far
    /// @param explored share of them that were explorations
    /// @param cap largest share that is allowed
    /// @param certainty mean certainty of the learned runtimes, from 0 to 1; NaN if there are none
    /// @param pairs number of pairs of job and GPU that have a learned runtime
    /// @param coverage share of started jobs that started within their first estimated range; NaN
    ///        before the first
    /// @param judged how many started jobs that share is based on; older ones count less
    public record Learning(
            long choices,
            double explored,
            double cap,
            double certainty,
            long pairs,
            double coverage,
            double judged) {}
}
