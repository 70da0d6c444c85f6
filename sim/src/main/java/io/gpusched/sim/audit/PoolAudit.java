package io.gpusched.sim.audit;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Replica;
import io.gpusched.core.pool.PoolId;

import java.util.HashMap;
import java.util.Map;

/// Checks that no two replicas of a pool have the same number at a time, and that every change of a
/// pool's size begins where the last one ended.
final class PoolAudit {
    private final Map<Replica, JobId> live = new HashMap<>();
    private final Map<JobId, Replica> byJob = new HashMap<>();
    private final Map<PoolId, Integer> sizes = new HashMap<>();

    void submitted(Event.JobSubmitted e) {
        Replica replica = e.spec().replica();
        if (replica != null) {
            JobId other = live.put(replica, e.job());
            byJob.put(e.job(), replica);
            Violation.unless(other == null, "%s is also %s", other, replica);
        }
    }

    void ended(JobId job) {
        Replica replica = byJob.remove(job);
        if (replica != null) {
            live.remove(replica);
        }
    }

    void scaled(Event.PoolScaled e) {
        int before = sizes.getOrDefault(e.pool(), 0);
        Violation.unless(e.from() == before, "the size was %s, not %s", before, e.from());
        Violation.unless(e.to() >= 0, "a size of %s", e.to());
        sizes.put(e.pool(), e.to());
    }

    /// A pool of this name may come again; it then begins with no replica.
    void removed(PoolId pool) {
        boolean any = byJob.values().stream().anyMatch(one -> one.pool().equals(pool.name()));
        if (!any) {
            sizes.remove(pool);
        }
    }
}
