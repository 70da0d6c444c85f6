package io.gpusched.store;

import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Usage;
import io.gpusched.core.tenants.TenantTotals;

import java.time.Instant;

/// The state of a tenant while the tables are updated.
final class TenantTableRow {
    final Instant created;
    Tenant tenant;
    TenantTotals totals;
    Usage usage = Usage.NONE;
    Instant updated;

    TenantTableRow(Tenant tenant, TenantTotals totals, Instant created, Instant updated) {
        this.tenant = tenant;
        this.totals = totals;
        this.created = created;
        this.updated = updated;
    }

    void submitted() {
        totals = totals(1, 0, 0, 0);
    }

    void ended(Outcome.Result result) {
        totals =
                switch (result) {
                    case COMPLETED -> totals(0, 1, 0, 0);
                    case FAILED -> totals(0, 0, 1, 0);
                    case CANCELLED -> totals;
                };
    }

    void used(long gpuMillis) {
        totals = totals(0, 0, 0, gpuMillis);
    }

    private TenantTotals totals(long jobs, long completed, long failed, long gpuMillis) {
        return new TenantTotals(
                totals.jobs() + jobs,
                totals.completed() + completed,
                totals.failed() + failed,
                totals.gpuMillis() + gpuMillis);
    }
}
