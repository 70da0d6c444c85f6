package io.gpusched.core.tenants;

import io.gpusched.core.model.Tenant;

import java.time.Instant;

/// A tenant in a snapshot: what it has done so far, and its decayed usage as of `latelyAt`, with
/// and without the tenants below it.
public record TenantImage(
        Tenant tenant,
        TenantTotals totals,
        DecayedUsage lately,
        DecayedUsage ownLately,
        Instant latelyAt) {
    /// A tenant whose decayed usage is not known.
    public TenantImage(Tenant tenant, TenantTotals totals) {
        this(tenant, totals, DecayedUsage.NOTHING, DecayedUsage.NOTHING, Instant.EPOCH);
    }
}
