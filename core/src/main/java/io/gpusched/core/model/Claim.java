package io.gpusched.core.model;

import java.time.Instant;
import java.util.List;

/// Capacity promised to somebody for a reason until a time.
///
/// A `RESERVATION` keeps a job that cannot start from being overtaken for ever: others may use its
/// slots only if they are sure to end before `from`. `ROOM` is being made for a job by
/// stopping others: nobody else may use it. `until` bounds both: no claim lives for ever.
///
/// @param slots what is held back; of the only reservation there is, host resources are only what
///        must be kept free *now*
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
