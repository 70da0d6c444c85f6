package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Duration;
import java.time.Instant;

/// F1, the order that Carastan-Santos and de Camargo (SC 2017) found by regression on simulated
/// schedules: the smallest `log10(time) × processors + 870 × log10(submission)` first, where the
/// submission counts in seconds from a beginning.
///
/// The earlier the beginning, the less the second term distinguishes jobs: the formula was made for
/// sequences of some days. Counted from 1970, as on a server, it is mostly the smallest job first.
///
/// @param beginning what submissions count from
public record F1Order(Instant beginning) implements QueueOrder {
    /// Keeps arguments of logarithms positive.
    private static final double LEAST = 0.1;

    @Override
    public String name() {
        return "f1";
    }

    @Override
    public long key(Job job) {
        double seconds = Duration.between(beginning, job.submitted()).toMillis() / 1000.0;
        return RequestedWork.key(
                log10(RequestedWork.seconds(job)) * RequestedWork.processors(job)
                        + 870 * log10(seconds));
    }

    private static double log10(double value) {
        return StrictMath.log10(value > 0 ? value : LEAST);
    }
}
