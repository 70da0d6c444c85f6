package io.gpusched.server.view;

import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;
import io.gpusched.core.state.TenantTotals;

/// A tenant as it was at one moment: what it may have, what it holds, what it has done so far, and
/// how many of its jobs are in which state.
///
/// @param jobs the numbers of its jobs
public record TenantRow(
        Tenant tenant,
        Usage usage,
        TenantTotals totals,
        StateCounts stateCounts,
        JobNumbers.Numbers jobs) {}
