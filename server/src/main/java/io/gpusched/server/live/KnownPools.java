package io.gpusched.server.live;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.server.live.LiveEvent.About;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/// The pools that exist and their tenants, so that an event of a pool reaches its tenant, and a
/// creation can be told from a change.
final class KnownPools {
    private final Map<PoolId, TenantId> tenants = new HashMap<>();
    private boolean isComplete;

    void begin(ClusterView state) {
        isComplete = true;
        for (PoolEntry entry : state.pools().all()) {
            tenants.put(entry.id(), entry.pool().tenant());
        }
    }

    /// Whether the pool is certainly new.
    boolean put(Event.PoolPut e) {
        return tenants.put(e.pool().id(), e.pool().tenant()) == null && isComplete;
    }

    /// What an event of the pool is about. Without its tenant only administrators see it.
    About about(PoolId pool) {
        return new About(pool, null, tenants.get(pool));
    }

    static About about(JobId replica, @Nullable TenantId tenant) {
        return new About(null, replica, tenant);
    }
}
