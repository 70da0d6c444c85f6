package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;

import java.util.LinkedHashMap;
import java.util.Map;

/// Total payload sizes of the jobs that have not ended, in characters.
public final class PayloadSizes {
    private final Map<TenantId, Long> byTenant = new LinkedHashMap<>();
    private long total;

    void add(Job job) {
        change(job.tenant(), job.spec().payload().size());
    }

    void remove(Job job) {
        change(job.tenant(), -job.spec().payload().size());
    }

    private void change(TenantId tenant, long size) {
        total += size;
        if (size != 0 && byTenant.merge(tenant, size, Long::sum) == 0) {
            byTenant.remove(tenant);
        }
    }

    public long total() {
        return total;
    }

    public long of(TenantId tenant) {
        return byTenant.getOrDefault(tenant, 0L);
    }
}
