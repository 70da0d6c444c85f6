package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.policy.RefusalCount;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Why a node refuses a job, with what the reader may not know: how many CPU cores the job asks
/// for, which has a default, and for which jobs GPUs are reserved.
public final class RefusalText {
    private static final String CORES = "cpu";

    /// What a job gets that does not say `cpu_cores`, all its tasks together.
    private static final long DEFAULT_MILLI_CPU = 1000;

    private RefusalText() {}

    /// `not enough free CPU cores (each task asks for 2 CPU cores)`, or `why` as it is.
    public static String of(String why, RefusalCount refusalCount, Job job) {
        if (!refusalCount.refusal().by().equals(CORES)) {
            return why;
        }
        int tasks = job.spec().tasks();
        long each = job.spec().roles().getFirst().shape().host().milliCpu();
        boolean usual = each == DEFAULT_MILLI_CPU / tasks;
        return "%s (%s asks for %s%s)"
                .formatted(
                        why,
                        tasks == 1 ? "the job" : "each task",
                        Plurals.milli(each, "CPU core"),
                        usual ? standard(tasks) : "");
    }

    private static String standard(int tasks) {
        return tasks == 1
                ? ", the default"
                : ", its part of the default of 1 CPU core for the whole job";
    }

    /// The same, and for which jobs GPUs are reserved and until when, where that is the reason:
    /// `free GPUs are reserved for other jobs (for job-5 until it starts, about …)`.
    ///
    /// @param name what the reader may call a job
    public static String of(
            String why,
            RefusalCount refusalCount,
            Job job,
            StateReasons reasons,
            Function<JobId, String> name) {
        List<JobId> holders = refusalCount.reservedFor();
        if (holders.isEmpty()) {
            return of(why, refusalCount, job);
        }
        boolean more = holders.size() > RefusalCount.MOST_NAMED;
        return holders.stream()
                .limit(RefusalCount.MOST_NAMED)
                .map(id -> reasons.keptFor(id, name.apply(id)))
                .collect(Collectors.joining("; ", why + " (", more ? "; and for others)" : ")"));
    }
}
