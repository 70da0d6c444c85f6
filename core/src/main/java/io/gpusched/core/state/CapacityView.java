package io.gpusched.core.state;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Nodes;
import io.gpusched.core.nodes.ReservedCapacity;
import io.gpusched.core.nodes.ShownNodes;
import io.gpusched.core.tenants.Tenants;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/// The cluster as one job may use it: its nodes show as free what is not claimed by other jobs. A
/// search for a placement creates the job's view and passes it to everything that depends on
/// capacity; the ledger itself does not know which job is being tried.
///
/// A view is cheap and holds no copy: it shows the present state of the ledger, trials included.
/// Only nodes with claims are wrapped, the others are shown as they are.
public final class CapacityView implements ClusterView {
    private final ClusterState state;
    private final ShownNodes nodes;

    private CapacityView(ClusterState state, ShownNodes nodes) {
        this.state = state;
        this.nodes = nodes;
    }

    /// What `job` may use if it ends by `endsBy`; if it is the `first` job in the queue, the
    /// reservation of a job behind it does not bind it.
    public static CapacityView of(ClusterState state, JobId job, Instant endsBy, boolean first) {
        return new CapacityView(state, state.nodes().shownTo(job, endsBy, first));
    }

    /// What a job may use, given when each reservation begins and ends.
    public static CapacityView by(ClusterState state, ReservedCapacity reservedCapacity) {
        return new CapacityView(state, state.nodes().shownBy(reservedCapacity));
    }

    /// The node as this view shows it; `node` may come from any view.
    public NodeView show(NodeView node) {
        return nodes.show(node);
    }

    @Override
    public Nodes nodes() {
        return nodes;
    }

    @Override
    public Tenants tenants() {
        return state.tenants();
    }

    @Override
    public RunIndex runs() {
        return state.runs();
    }

    @Override
    public @Nullable Job job(JobId id) {
        return state.job(id);
    }

    @Override
    public @Nullable Job waitsBefore(TenantId tenant, Job job, Predicate<Usage> matters) {
        return state.waitsBefore(tenant, job, matters);
    }

    @Override
    public @Nullable Job waitedLonger(
            TenantId tenant, Job job, Instant since, Predicate<Usage> matters) {
        return state.waitedLonger(tenant, job, since, matters);
    }

    @Override
    public boolean precedes(Job one, Job other) {
        return state.precedes(one, other);
    }

    @Override
    public PoolLedger pools() {
        return state.pools();
    }

    @Override
    public ModelLedger models() {
        return state.models();
    }

    @Override
    public List<Claim> claims() {
        return state.claims();
    }

    @Override
    public long waitingJobs() {
        return state.waitingJobs();
    }

    @Override
    public TypicalWorkload typicalWorkload() {
        return state.typicalWorkload();
    }

    @Override
    public NodePrices nodePrices() {
        return state.nodePrices();
    }

    @Override
    public CarbonLedger carbon() {
        return state.carbon();
    }

    @Override
    public Instant lastAt() {
        return state.lastAt();
    }

    @Override
    public long term() {
        return state.term();
    }
}
