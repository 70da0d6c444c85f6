package io.gpusched.sim.metrics;

import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.Attempt;
import io.gpusched.core.policy.Reason;

import org.jspecify.annotations.Nullable;

import java.util.SequencedMap;
import java.util.function.Function;

/// Tells for how much of the time in which a tenant has jobs in the queue its quota keeps them
/// there: then no other policy would start them sooner.
///
/// The scheduler tries a job again only when something has changed that could change the answer, so
/// the last answer for a job of the tenant holds until the next one.
final class QuotaWaits {
    private static final String QUOTA = "quota";

    private QuotaWaits() {}

    /// Notes what a cycle answered.
    ///
    /// @param accounts the account of a job's tenant; null for a job that is not known
    static void note(
            SequencedMap<JobId, Attempt> attempts, Function<JobId, @Nullable Account> accounts) {
        attempts.forEach(
                (job, attempt) -> {
                    Account account = accounts.apply(job);
                    if (account != null) {
                        account.atQuota = isRefusedByQuota(attempt);
                    }
                });
    }

    private static boolean isRefusedByQuota(Attempt attempt) {
        if (!(attempt instanceof Attempt.Waits waits)) {
            return false;
        }
        Reason main = Reason.main(waits.because());
        return main != null && main.refusal().by().equals(QUOTA);
    }

    /// Lets time pass for a tenant.
    static void pass(Account account, double seconds) {
        if (account.waiting > 0) {
            account.waitingSeconds += seconds;
            account.quotaSeconds += account.atQuota ? seconds : 0;
        } else {
            account.atQuota = false;
        }
    }
}
