package io.gpusched.server.alert;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.server.auth.Caller;

import org.jspecify.annotations.Nullable;

/// What an alert is about: a tenant, a pool, a node, or the cluster as a whole.
///
/// @param tenant the tenant that may read the alert; null when it concerns no single tenant
/// @param job the job of the tenant that is affected most
public record AlertSubject(
        @Nullable TenantId tenant,
        @Nullable JobId job,
        @Nullable NodeId node,
        @Nullable PoolId pool) {
    public static final AlertSubject CLUSTER = new AlertSubject(null, null, null, null);

    public static AlertSubject of(Pool pool) {
        return new AlertSubject(pool.tenant(), null, null, pool.id());
    }

    public static AlertSubject of(NodeId node) {
        return new AlertSubject(null, null, node, null);
    }

    public static AlertSubject of(TenantId tenant, JobId worst) {
        return new AlertSubject(tenant, worst, null, null);
    }

    /// Two alerts of one condition with the same key are one alert. The job is not part of it: an
    /// alert about a tenant goes on when another of its jobs is now the worst.
    public String key() {
        if (pool != null) {
            return "pool " + pool.name();
        }
        if (tenant != null) {
            return "tenant " + tenant.name();
        }
        return node == null ? "cluster" : "node " + node.name();
    }

    /// Whether the caller may see it. A tenant sees only what concerns itself.
    public boolean isVisibleTo(Caller caller) {
        return caller.isAdmin() || tenant != null && caller.mayTouch(tenant);
    }
}
