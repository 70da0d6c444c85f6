package io.gpusched.core.engine;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.PayloadLimits;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

/// Refuses a job whose payload does not fit beside the payloads of waiting and running jobs.
final class PayloadCheck {
    private static final long KIB = 1024;

    private PayloadCheck() {}

    /// Why the job is refused; null when its payload fits.
    static @Nullable Problem problem(JobSpec spec, ClusterState state, PayloadLimits limits) {
        long size = spec.payload().size();
        long most = Math.min(limits.perTenant(), limits.total());
        if (size > most) {
            return new Problem(
                    Problem.Code.INVALID,
                    "script",
                    "script, command, args and environment have "
                            + size / KIB
                            + " KiB together, at most "
                            + most / KIB
                            + " fit",
                    "put large files where the job can read them, and submit only their names");
        }
        if (state.payloads().of(spec.tenant()) > limits.perTenant() - size) {
            return full("waiting and running jobs of tenant " + spec.tenant(), limits.perTenant());
        }
        return state.payloads().total() > limits.total() - size
                ? full("all waiting and running jobs", limits.total())
                : null;
    }

    private static Problem full(String whose, long limit) {
        return new Problem(
                Problem.Code.QUEUE_FULL,
                "",
                "the scripts, commands and environments of "
                        + whose
                        + " have no room for this one (limit: "
                        + limit / KIB
                        + " KiB)",
                "try again when jobs have ended, or put large files where jobs can read them");
    }
}
