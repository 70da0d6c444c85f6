package io.gpusched.core.state;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.nodes.Nodes;
import io.gpusched.core.tenants.Tenants;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/// The ledger as rules and readers see it. No method changes anything, not even lazily.
public interface ClusterView {
    @Nullable Job job(JobId id);

    Nodes nodes();

    Tenants tenants();

    /// The jobs that hold capacity.
    RunIndex runs();

    /// A job under the tenant that waits before `job` and whose need of a quota `matters`; null if
    /// there is none. It is the first in the queue of its own tenant's jobs with the same need.
    /// If several tenants have such a job, it is that of the first tenant by id. Only jobs of
    /// tenants with a limit count.
    @Nullable Job waitsBefore(TenantId tenant, Job job, Predicate<Usage> matters);

    /// Such a job that has waited longer than `job`, and at least since `since`. Only where a model
    /// orders the queue.
    @Nullable Job waitedLonger(TenantId tenant, Job job, Instant since, Predicate<Usage> matters);

    /// Whether `one` comes before `other` in the queue.
    boolean precedes(Job one, Job other);

    /// All claims, oldest first.
    List<Claim> claims();

    /// How many jobs wait, held ones and postponed ones included.
    long waitingJobs();

    /// What the workload usually asks for.
    TypicalWorkload typicalWorkload();

    /// Prices of capacity, as far as they are known.
    NodePrices nodePrices();

    /// Forecasts of the carbon intensity of power.
    CarbonLedger carbon();

    /// The pools and their replicas.
    PoolLedger pools();

    /// The declared models, and which node holds which.
    ModelLedger models();

    /// The time of the newest event.
    Instant lastAt();

    /// The term of the present scheduler.
    long term();
}
