package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.DeadlineLedger;
import io.gpusched.core.state.JobTable;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.ToLongFunction;

/// An immutable picture of the whole cluster after one batch, from which requests are answered.
///
/// @param batch number of the last batch in it
/// @param waitingJobs number of jobs in the queue, held ones included
/// @param largestNode the largest amount of each resource on one node
/// @param idle running jobs that use none of their GPUs, and since when
/// @param order gives a waiting job its sort key in the queue, smallest first
/// @param kept the capacity that is kept for waiting jobs
/// @param assumedRuntime how long a job without a time limit is assumed to run
/// @param model the name of the model that decides which of the first jobs goes next, so that a
///        position is not the order of starts; empty where the order alone decides
/// @param deadlines the jobs with a deadline that have not ended
/// @param byTenant whether the policy orders tenants first and then the jobs of each tenant
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
        String model,
        boolean byTenant,
        PoolsView pools,
        Map<JobId, DeadlineLedger.Entry> deadlines) {

    public @Nullable Job job(JobId id) {
        return jobs.job(id.number());
    }

    /// The number of jobs of the tenant in the state; null means any tenant or any state.
    public long count(@Nullable TenantId tenant, @Nullable PublicState state) {
        if (tenant == null) {
            return stateCounts.of(state);
        }
        TenantRow row = tenants.row(tenant);
        return row == null ? 0 : row.stateCounts().of(state);
    }

    /// The number of jobs ever submitted.
    public long everSubmitted() {
        return jobs.last();
    }
}
