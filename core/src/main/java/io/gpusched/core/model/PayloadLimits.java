package io.gpusched.core.model;

/// Limits on the total payload size of all waiting and running jobs. A payload stays in memory
/// until its job ends, so without a limit a few hundred large scripts fill the heap.
///
/// @param perTenant in characters, for the jobs of one tenant
/// @param total in characters, for all jobs
public record PayloadLimits(long perTenant, long total) {
    public static final PayloadLimits NONE = new PayloadLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    public PayloadLimits {
        Check.that(perTenant > 0, "a payload limit is positive, found %s", perTenant);
        Check.that(total > 0, "a payload limit is positive, found %s", total);
    }
}
