package io.gpusched.server.view;

import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// When a job for which capacity is kept starts, in words. Where an estimate exists it is the only
/// time that is told; else it is the time of the claim, with what that time rests on.
final class ReservationText {
    private ReservationText() {}

    /// To follow `a place is reserved for it`; empty where an estimate tells the time.
    static String own(KeptCapacity kept, boolean estimated, View view, Instant now) {
        if (estimated) {
            return "";
        }
        return kept.basis(now) == KeptCapacity.Basis.OVERDUE
                ? overdue()
                : " from "
                        + time(kept.claim().from())
                        + " at the latest"
                        + condition(kept, view, now);
    }

    /// To follow `reserved for job-5`: until when others cannot use the capacity.
    static String other(
            Job holder, KeptCapacity kept, View view, ExpectedStarts starts, Instant now) {
        if (!kept.isReservation()) {
            return " until " + time(kept.claim().until()) + " at the latest";
        }
        StartEstimate estimate = starts.of(holder);
        Instant middle = estimate == null ? null : estimate.middle();
        if (middle != null) {
            String when = starts.isDue(holder) ? "any moment" : "about " + time(middle);
            return " until it starts, " + when;
        }
        return kept.basis(now) == KeptCapacity.Basis.OVERDUE
                ? " until it starts" + overdue()
                : " until it starts, at "
                        + time(kept.claim().from())
                        + " at the latest"
                        + condition(kept, view, now);
    }

    /// The condition under which the time of a reservation holds; empty where limits ensure it.
    static String condition(KeptCapacity kept, View view, Instant now) {
        return switch (kept.basis(now)) {
            case LIMITS, OVERDUE -> "";
            case PREDICTIONS -> ", if jobs end as predicted";
            case ASSUMPTION ->
                    ", if jobs without a time limit end within " + words(view.assumedRuntime());
        };
    }

    private static String overdue() {
        return ", as soon as a job that runs longer than expected has ended";
    }

    private static String words(Duration duration) {
        long minutes = duration.toMinutes();
        return minutes % 60 == 0 ? minutes / 60 + " h" : minutes + " min";
    }

    private static Instant time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }
}
