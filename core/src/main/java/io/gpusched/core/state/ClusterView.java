package io.gpusched.core.state;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The ledger as rules and readers see it. No method changes anything, not even lazily.
public interface ClusterView {
    @Nullable Job job(JobId id);

    @Nullable NodeView node(NodeId id);

    /// All nodes, by index.
    List<? extends NodeView> nodes();

    @Nullable Tenant tenant(TenantId id);

    /// All tenants, by id.
    List<Tenant> tenants();

    /// What the tenant holds now; nothing for an unknown one.
    Usage usage(TenantId id);

    /// The sum, in thousandths of GPUs, by which siblings of this tenant are below their
    /// guarantees.
    long keptBeside(TenantId id);

    /// The first waiting job in the queue of each group of jobs under the tenant that need the same
    /// of its quota; empty for tenants without a limit.
    List<Job> firstByNeed(TenantId tenant);

    /// Whether `one` comes before `other` in the queue.
    boolean standsBefore(Job one, Job other);

    /// All claims, oldest first.
    List<Claim> claims();

    /// Jobs that hold capacity and whose tenant allows preemption, lowest priority first, then by
    /// id.
    Iterable<Job> preemptible();

    /// Jobs that hold capacity, in the order in which they are expected to end.
    Iterable<Job> byExpectedEnd();

    /// How many jobs wait, held and postponed ones included.
    long waitingJobs();

    /// Changes whenever a node joins, leaves or is described anew.
    long fleetVersion();

    /// The typical requests of the workload.
    TypicalWorkload typicalWorkload();

    /// Prices of capacity, as far as they are known.
    NodePrices nodePrices();

    /// The time of the newest event.
    Instant lastAt();

    /// The term of the present scheduler.
    long term();
}
