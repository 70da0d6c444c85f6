package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;

import java.time.Duration;

/// The inputs of published orders: how much a job requests, and for how long.
final class RequestedWork {
    /// A job without a limit or an expectation counts as one that runs for a day.
    private static final double UNKNOWN_SECONDS = 86_400;

    private RequestedWork() {}

    /// GPUs, or cores for a job without any.
    static double processors(Job job) {
        long milliGpus = job.spec().milliGpus();
        return (milliGpus > 0 ? milliGpus : job.spec().host().milliCpu()) / 1000.0;
    }

    /// The time limit; the expected runtime where there is none.
    static double seconds(Job job) {
        Duration limit = job.spec().limit();
        Duration time = limit.isZero() ? job.spec().runtimeExpectation().usual() : limit;
        return time.isZero() ? UNKNOWN_SECONDS : time.toMillis() / 1000.0;
    }

    /// A key with the order of the scores.
    static long key(double score) {
        long bits = Double.doubleToLongBits(score + 0.0);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
}
