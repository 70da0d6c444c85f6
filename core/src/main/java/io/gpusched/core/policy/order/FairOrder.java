package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Duration;

/// Tenants take turns: first those below their guarantee, then the tenant with the smallest present
/// and recent share for its weight. Among jobs of one tenant, priority and waiting time decide.
public final class FairOrder implements QueueOrder {
    private final PriorityOrder inside;

    /// @param inside the order of jobs of one tenant
    public FairOrder(PriorityOrder inside) {
        this.inside = inside;
    }

    @Override
    public String name() {
        return "fair";
    }

    @Override
    public long key(Job job) {
        return inside.key(job);
    }

    @Override
    public Duration pointEvery() {
        return inside.pointEvery();
    }

    @Override
    public boolean byTenant() {
        return true;
    }
}
