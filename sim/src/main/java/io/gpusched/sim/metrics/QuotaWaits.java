package io.gpusched.sim.metrics;

import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;

import org.jspecify.annotations.Nullable;

import java.util.SequencedMap;
import java.util.function.Function;

/// Measures for how much of the time in which a tenant has waiting jobs its quota is the reason. No
/// other policy would start these jobs sooner.
///
/// The scheduler tries a job again only when something has changed that could change the answer, so
/// the last answer for a job of the tenant holds until the next one.
final class QuotaWaits {
    private static final String QUOTA = "quota";

    private QuotaWaits() {}

    /// Records the outcomes of a cycle.
    ///
    /// @param accounts the account of a job's tenant; null for a job that is not known
    static void note(
            SequencedMap<JobId, TurnOutcome> attempts,
            Function<JobId, @Nullable JobTotals> accounts) {
        attempts.forEach(
                (job, turnOutcome) -> {
                    JobTotals jobTotals = accounts.apply(job);
                    if (jobTotals != null) {
                        jobTotals.atQuota = isRefusedByQuota(turnOutcome);
                    }
                });
    }

    private static boolean isRefusedByQuota(TurnOutcome turnOutcome) {
        if (!(turnOutcome instanceof TurnOutcome.Waits waits)) {
            return false;
        }
        RefusalCount main = RefusalCount.main(waits.because());
        return main != null && main.refusal().by().equals(QUOTA);
    }

    /// Advances the time of a tenant.
    static void pass(JobTotals jobTotals, double seconds) {
        if (jobTotals.waiting > 0) {
            jobTotals.waitingSeconds += seconds;
            jobTotals.quotaSeconds += jobTotals.atQuota ? seconds : 0;
        } else {
            jobTotals.atQuota = false;
        }
    }
}
