package io.gpusched.server.live;

import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.ClusterView;

import java.util.HashSet;
import java.util.Set;

/// The tenants that exist, so that a creation can be told from a change.
final class KnownTenants {
    private final Set<TenantId> ids = new HashSet<>();
    private boolean isComplete;

    void begin(ClusterView state) {
        isComplete = true;
        state.tenants().all().forEach(tenant -> ids.add(tenant.id()));
    }

    /// Whether the tenant is certainly new.
    boolean put(TenantId tenant) {
        return ids.add(tenant) && isComplete;
    }

    void removed(TenantId tenant) {
        ids.remove(tenant);
    }
}
