package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

/// An owner of jobs, with its guarantees, limits and weight.
///
/// @param parent the tenant this one is part of; null for a root tenant
/// @param profile descriptive text (display name, e-mail, …); decisions never depend on it
public record Tenant(
        TenantId id,
        @Nullable TenantId parent,
        Limits guaranteed,
        Limits limit,
        double weight,
        PreemptionRules rules,
        boolean active,
        Labels profile) {
    public static final TenantId DEFAULT = new TenantId("default");

    public Tenant {
        Check.that(weight > 0 && weight <= 1e9, "a tenant's weight is over 0, found %s", weight);
    }

    /// A tenant without limits.
    public static Tenant unlimited(TenantId id) {
        return new Tenant(
                id,
                null,
                Limits.ZERO,
                Limits.NONE,
                1,
                PreemptionRules.DEFAULT,
                true,
                Labels.of("name", id.name()));
    }
}
