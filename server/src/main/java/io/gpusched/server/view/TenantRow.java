package io.gpusched.server.view;

import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;
import io.gpusched.core.tenants.TenantTotals;

/// A tenant in a view: its quota, usage, totals so far, and its jobs by state.
///
/// @param jobs the numbers of its jobs
public record TenantRow(
        Tenant tenant,
        Usage usage,
        TenantTotals totals,
        StateCounts stateCounts,
        JobNumbers.Numbers jobs) {}
