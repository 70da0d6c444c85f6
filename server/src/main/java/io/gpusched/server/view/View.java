package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.JobTable;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.ToLongFunction;

/// The whole cluster after one batch.
///
/// @param batch the number of the last batch in it
/// @param waitingJobs in the queue, held ones included
/// @param largestNode how large nodes get
/// @param idle running jobs that use none of their GPUs, and since when
/// @param order gives a waiting job the key it stands in line by, smallest first
/// @param kept the capacity that is kept for waiting jobs
/// @param assumedRuntime how long a job without a time limit is assumed to run
/// @param byTenant whether each tenant has a line of its own, and tenants take turns
public record View(
        long batch,
        Instant at,
        JobTable jobs,
        PersistentMap<NodeId, NodeRow> nodes,
        PersistentMap<TenantId, TenantRow> tenants,
        StateCounts stateCounts,
        long waitingJobs,
        LargestNode largestNode,
        Map<JobId, Instant> idle,
        Map<JobId, KeptCapacity> kept,
        Duration assumedRuntime,
        ToLongFunction<Job> order,
        boolean byTenant) {

    public @Nullable Job job(JobId id) {
        return jobs.job(id.number());
    }

    /// Jobs of the tenant in the state; null means any of them.
    public long count(@Nullable TenantId tenant, @Nullable PublicState state) {
        if (tenant == null) {
            return stateCounts.of(state);
        }
        TenantRow row = tenants.row(tenant);
        return row == null ? 0 : row.stateCounts().of(state);
    }

    /// All jobs there have ever been.
    public long everSubmitted() {
        return jobs.last();
    }
}
