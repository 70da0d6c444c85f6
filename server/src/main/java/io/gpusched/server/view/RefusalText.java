package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.policy.RefusalCount;

/// Why a node refuses a job, with what the job asks for where people may not know it: a job that
/// says nothing of cores asks for one.
public final class RefusalText {
    private static final String CORES = "cpu";

    private RefusalText() {}

    /// `not enough free CPU cores (each task asks for 1 CPU core)`, or `why` as it is.
    public static String of(String why, RefusalCount refusalCount, Job job) {
        if (!refusalCount.refusal().by().equals(CORES)) {
            return why;
        }
        long each = job.spec().roles().getFirst().shape().host().milliCpu();
        return "%s (%s asks for %s)"
                .formatted(
                        why,
                        job.spec().tasks() == 1 ? "the job" : "each task",
                        Plurals.milli(each, "CPU core"));
    }
}
