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
import java.util.AbstractList;
import java.util.List;
import java.util.function.Predicate;

/// The cluster as one job may use it: its nodes show as free what is not claimed by other jobs.
/// Whoever looks for a place makes the job's view and hands it to everything that is asked about
/// capacity; the ledger itself does not know which job is being tried.
///
/// A view is cheap and holds no copy: it shows the ledger as it is at the moment, trials included.
/// Only nodes on which something is claimed are wrapped, the others are shown as they are.
public final class CapacityView implements ClusterView {
    private final ClusterState state;
    private final HiddenCapacity hidden;

    private CapacityView(ClusterState state, HiddenCapacity hidden) {
        this.state = state;
        this.hidden = hidden;
    }

    /// What `job` may use if it ends by `endsBy`; one that is `first` in line need not heed the
    /// reservation of a job behind it.
    public static CapacityView of(ClusterState state, JobId job, Instant endsBy, boolean first) {
        return new CapacityView(state, HiddenCapacity.from(job, endsBy, first));
    }

    /// What a job may use that knows when each reservation begins and ends.
    public static CapacityView by(ClusterState state, ReservedCapacity reservedCapacity) {
        return new CapacityView(state, HiddenCapacity.by(reservedCapacity));
    }

    /// The node as this view shows it, whichever view it comes from.
    public NodeView show(NodeView node) {
        NodeView itself = ShownNode.itself(node);
        return itself instanceof NodeEntry entry && entry.isClaimed()
                ? new ShownNode(entry, hidden)
                : itself;
    }

    @Override
    public @Nullable NodeView node(NodeId id) {
        NodeView node = state.node(id);
        return node == null ? null : show(node);
    }

    @Override
    public List<? extends NodeView> nodes() {
        List<NodeView> all = state.nodes();
        return new AbstractList<NodeView>() {
            @Override
            public NodeView get(int at) {
                return show(all.get(at));
            }

            @Override
            public int size() {
                return all.size();
            }
        };
    }

    @Override
    public @Nullable Job job(JobId id) {
        return state.job(id);
    }

    @Override
    public @Nullable Tenant tenant(TenantId id) {
        return state.tenant(id);
    }

    @Override
    public List<Tenant> tenants() {
        return state.tenants();
    }

    @Override
    public Usage usage(TenantId id) {
        return state.usage(id);
    }

    @Override
    public long keptBeside(TenantId id) {
        return state.keptBeside(id);
    }

    @Override
    public @Nullable Job waitsBefore(TenantId tenant, Job job, Predicate<Usage> matters) {
        return state.waitsBefore(tenant, job, matters);
    }

    @Override
    public boolean standsBefore(Job one, Job other) {
        return state.standsBefore(one, other);
    }

    @Override
    public List<Claim> claims() {
        return state.claims();
    }

    @Override
    public Iterable<Job> preemptible() {
        return state.preemptible();
    }

    @Override
    public Iterable<Job> preemptiblePlacedAfter(Instant when) {
        return state.preemptiblePlacedAfter(when);
    }

    @Override
    public Iterable<Job> byExpectedEnd() {
        return state.byExpectedEnd();
    }

    @Override
    public long waitingJobs() {
        return state.waitingJobs();
    }

    @Override
    public long fleetVersion() {
        return state.fleetVersion();
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
    public Instant lastAt() {
        return state.lastAt();
    }

    @Override
    public long term() {
        return state.term();
    }
}
