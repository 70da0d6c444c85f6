package io.gpusched.core.state;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.nodes.Nodes;
import io.gpusched.core.tenants.Tenants;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The ledger as rules and readers see it. Nothing here changes anything, also not lazily.
public interface ClusterView {
    @Nullable Job job(JobId id);

    Nodes nodes();

    Tenants tenants();

    /// The jobs that hold capacity.
    RunIndex runs();

    /// Of the jobs under the tenant that wait and need the same of its quota, those that stand
    /// first in line; only of tenants that a limit holds for.
    List<Job> firstByNeed(TenantId tenant);

    /// Whether `one` comes before `other` in line.
    boolean standsBefore(Job one, Job other);

    /// All claims, oldest first.
    List<Claim> claims();

    /// How many jobs wait, held ones and postponed ones included.
    long waitingJobs();

    /// What the workload usually asks for.
    TypicalWorkload typicalWorkload();

    /// What capacity costs, as far as it is known.
    NodePrices nodePrices();

    /// The time of the newest event.
    Instant lastAt();

    /// The term of the scheduler that is in charge.
    long term();
}
