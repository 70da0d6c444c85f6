package io.gpusched.lab.swf;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

/// WFP3 and UNICEP as the published tables have them. Their program takes `-1 - submission` for the
/// time a job has waited, because a job that has not started counts as started at -1; so the oldest
/// jobs come last, and the columns say little about the two orders. Ours are
/// [io.gpusched.core.policy.order.Wfp3Order] and [io.gpusched.core.policy.order.UnicepOrder].
record QuirkOrder(String name) implements QueueOrder {
    static final String WFP = "wfp";
    static final String UNI = "uni";

    private static final double TINY = 1e-15;

    @Override
    public long key(Job job) {
        double submit = job.submitted().getEpochSecond();
        double seconds = job.spec().limit().toSeconds();
        double cores = job.spec().host().milliCpu() / 1000.0;
        double waited = submit + 1;
        double score =
                name.equals(WFP)
                        ? cube(waited / seconds) * cores
                        : (waited - TINY)
                                / (StrictMath.log(cores + TINY) / StrictMath.log(2) * seconds);
        // Scores are positive, and the bits of positive numbers are in their order.
        return Double.doubleToLongBits(score);
    }

    private static double cube(double value) {
        return value * value * value;
    }
}
