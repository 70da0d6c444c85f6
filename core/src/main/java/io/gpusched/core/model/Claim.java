package io.gpusched.core.model;

import java.time.Instant;
import java.util.List;

/// Capacity held back for a job or an operator, for a reason, until a time.
///
/// A `RESERVATION` protects a job that cannot start from being overtaken for ever: other jobs may
/// use its slots only if they are sure to end before `from`. `ROOM` is capacity that is being freed
/// for a job by preempting others: no other job may use it. `until` bounds both: every claim
/// expires.
///
/// @param slots the capacity held back; where there is only one reservation at a time, its host
///        resources are only what must be kept free *now*
public record Claim(
        ClaimId id,
        ClaimHolder claimHolder,
        Kind kind,
        List<Slot> slots,
        Instant from,
        Instant until,
        String reason) {
    public enum Kind {
        RESERVATION,
        ROOM,
        MAINTENANCE
    }

    public Claim {
        slots = List.copyOf(slots);
    }

    public boolean isFor(JobId job) {
        return claimHolder instanceof ClaimHolder.OfJob of && of.job().equals(job);
    }
}
