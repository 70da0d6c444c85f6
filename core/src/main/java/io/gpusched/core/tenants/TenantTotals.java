package io.gpusched.core.tenants;

import io.gpusched.core.model.Outcome;

/// A tenant's totals so far, for accounting and reports.
///
/// @param gpuMillis GPU time used: GPUs times milliseconds
public record TenantTotals(long jobs, long completed, long failed, long gpuMillis) {
    public static final TenantTotals NONE = new TenantTotals(0, 0, 0, 0);

    TenantTotals submitted() {
        return new TenantTotals(jobs + 1, completed, failed, gpuMillis);
    }

    TenantTotals ended(Outcome.Result result) {
        return switch (result) {
            case COMPLETED -> new TenantTotals(jobs, completed + 1, failed, gpuMillis);
            case FAILED -> new TenantTotals(jobs, completed, failed + 1, gpuMillis);
            case CANCELLED -> this;
        };
    }

    TenantTotals used(long more) {
        return new TenantTotals(jobs, completed, failed, gpuMillis + more);
    }
}
