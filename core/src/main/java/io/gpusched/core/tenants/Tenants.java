package io.gpusched.core.tenants;

import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The tenants and what each holds, as rules and readers see them. Nothing here changes them.
public interface Tenants {
    @Nullable Tenant find(TenantId id);

    /// All tenants, by id.
    List<Tenant> all();

    /// What the jobs of the tenant and of all tenants below it hold now; nothing for an unknown
    /// tenant.
    Usage usage(TenantId id);

    /// Thousandths of GPUs that the siblings of this tenant still need to reach their guarantees.
    long keptBeside(TenantId id);

    /// What the tenant has submitted, finished and used so far.
    TenantTotals totals(TenantId id);

    /// How many jobs of the tenant have not ended.
    long presentJobs(TenantId id);
}
