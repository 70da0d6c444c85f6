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
import java.util.function.Predicate;

/// The ledger as rules and readers see it. Nothing here changes anything, also not lazily.
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

    /// Thousandths of GPUs that tenants beside this one, under the same parent, lack to their
    /// guarantees.
    long keptBeside(TenantId id);

    /// A job under the tenant that waits before `job` and whose need of a quota `matters`: the
    /// first in line of those of its tenant that need the same; of several tenants, of the first by
    /// id. Null when there is none. Only tenants that a limit holds for count.
    @Nullable Job waitsBefore(TenantId tenant, Job job, Predicate<Usage> matters);

    /// Whether `one` comes before `other` in line.
    boolean standsBefore(Job one, Job other);

    /// All claims, oldest first.
    List<Claim> claims();

    /// Jobs that hold capacity and whose tenant lets them be preempted, lowest priority first, then
    /// by id.
    Iterable<Job> preemptible();

    /// Of these the ones that got their places after `when`, the earliest first.
    Iterable<Job> preemptiblePlacedAfter(Instant when);

    /// Jobs that hold capacity, in the order in which they are expected to end.
    Iterable<Job> byExpectedEnd();

    /// How many jobs wait, held ones and postponed ones included.
    long waitingJobs();

    /// Changes whenever a node joins, leaves or is described anew.
    long fleetVersion();

    /// What the workload usually asks for.
    TypicalWorkload typicalWorkload();

    /// What capacity costs, as far as it is known.
    NodePrices nodePrices();

    /// The time of the newest event.
    Instant lastAt();

    /// The term of the scheduler that is in charge.
    long term();
}
