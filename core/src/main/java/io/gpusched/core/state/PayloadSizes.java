package io.gpusched.core.state;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;

import java.util.LinkedHashMap;
import java.util.Map;

/// Total payload sizes of the jobs that have not ended, in characters.
public final class PayloadSizes {
    private static final class Total {
        private long size;
    }

    private final Map<TenantId, Total> byTenant = new LinkedHashMap<>();
    private long total;

    void add(Job job) {
        change(job.tenant(), job.spec().payload().size());
    }

    void remove(Job job) {
        change(job.tenant(), -job.spec().payload().size());
    }

    private void change(TenantId tenant, long size) {
        if (size == 0) {
            return;
        }
        total += size;
        Total ofTenant = byTenant.computeIfAbsent(tenant, id -> new Total());
        ofTenant.size += size;
        if (ofTenant.size == 0) {
            byTenant.remove(tenant);
        }
    }

    public long total() {
        return total;
    }

    public long of(TenantId tenant) {
        Total ofTenant = byTenant.get(tenant);
        return ofTenant == null ? 0 : ofTenant.size;
    }
}
