package io.gpusched.core.explain;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// Finds the jobs that hold the capacity or quota that a waiting job needs.
final class HolderSearch {
    private static final int MOST = 5;

    private final ClusterState state;
    private final Job job;
    private final boolean byGpus;
    private final List<Shape> shapes = new ArrayList<>();
    private final List<NodeSearch.Suitable> suits = new ArrayList<>();

    /// @param job the one that waits
    HolderSearch(ClusterState state, NodeSearch nodeSearch, Job job) {
        this.state = state;
        this.job = job;
        this.byGpus = job.spec().milliGpus() > 0;
        for (Role role : job.spec().roles()) {
            shapes.add(role.shape());
            suits.add(nodeSearch.suits(role.shape()));
        }
    }

    /// Jobs that run or have a claim on nodes that the job could use.
    List<HeldCapacity> ofCapacity() {
        List<HeldCapacity> all = running();
        for (Claim claim : state.claims()) {
            Job other =
                    claim.claimHolder() instanceof ClaimHolder.OfJob of && !claim.isFor(job.id())
                            ? state.job(of.job())
                            : null;
            if (other != null) {
                add(other, claim.slots(), claim.until(), true, all);
            }
        }
        return largest(all);
    }

    /// Jobs that run on nodes that the job could use and hold some of what it asks for.
    List<HeldCapacity> running() {
        var all = new ArrayList<HeldCapacity>();
        for (Job other : state.runs().byExpectedEnd()) {
            Run run = Objects.requireNonNull(other.phase().run());
            add(other, run.on().slots(), state.runs().expectedEnd(other), false, all);
        }
        all.removeIf(one -> byGpus && one.milliGpus() == 0);
        return all;
    }

    /// Jobs that use the quota of a tenant.
    List<HeldCapacity> ofQuota(TenantId tenant) {
        var all = new ArrayList<HeldCapacity>();
        for (Job other : state.runs().byExpectedEnd()) {
            if (isUnder(tenant, other.tenant())) {
                Run run = Objects.requireNonNull(other.phase().run());
                all.add(
                        holding(
                                other,
                                milliGpus(run.on().slots()),
                                other.spec().host().milliCpu(),
                                state.runs().expectedEnd(other),
                                false));
            }
        }
        return largest(all);
    }

    private boolean isUnder(TenantId above, TenantId id) {
        TenantId each = id;
        while (each != null && !each.equals(above)) {
            Tenant tenant = state.tenants().find(each);
            each = tenant == null ? null : tenant.parent();
        }
        return each != null;
    }

    private void add(
            Job other, List<Slot> slots, Instant end, boolean reserved, List<HeldCapacity> all) {
        long milliGpus = 0;
        long milliCpu = 0;
        for (Slot slot : slots) {
            if (couldUse(slot)) {
                milliGpus += milliGpus(slot.grant());
                milliCpu += slot.host().milliCpu();
            }
        }
        if (milliGpus > 0 || milliCpu > 0) {
            all.add(holding(other, milliGpus, milliCpu, end, reserved));
        }
    }

    private boolean couldUse(Slot slot) {
        NodeView node = state.nodes().find(slot.node());
        if (node == null || !node.status().open()) {
            return false;
        }
        for (int role = 0; role < shapes.size(); role++) {
            if (suits.get(role).has(state.nodes().index(), node)
                    && node.facts().labels().containAll(shapes.get(role).nodes())) {
                return true;
            }
        }
        return false;
    }

    private HeldCapacity holding(
            Job job, long milliGpus, long milliCpu, Instant end, boolean reserved) {
        Tenant tenant = state.tenants().find(job.tenant());
        return new HeldCapacity(
                job.id(),
                job.tenant(),
                job.priority(),
                milliGpus,
                milliCpu,
                end,
                job.spec().limit().isZero() && !job.spec().runtimeExpectation().isKnown(),
                reserved,
                tenant != null && tenant.rules().mayBePreempted());
    }

    private List<HeldCapacity> largest(List<HeldCapacity> all) {
        all.removeIf(one -> byGpus && one.milliGpus() == 0);
        all.sort(
                Comparator.comparingLong(
                                (HeldCapacity one) -> -(byGpus ? one.milliGpus() : one.milliCpu()))
                        .thenComparing(HeldCapacity::expectedEnd)
                        .thenComparing(HeldCapacity::job));
        return all.size() <= MOST ? all : all.subList(0, MOST);
    }

    private static long milliGpus(List<Slot> slots) {
        long sum = 0;
        for (Slot slot : slots) {
            sum += milliGpus(slot.grant());
        }
        return sum;
    }

    /// GPUs granted, in thousandths.
    static long milliGpus(Grant grant) {
        return switch (grant) {
            case Grant.None none -> 0;
            case Grant.Whole whole -> Long.bitCount(whole.gpus()) * 1000L;
            case Grant.Counted counted -> counted.count() * 1000L;
            case Grant.Slices slices -> milliGpus(slices);
            case Grant.Shares shares -> (long) Long.bitCount(shares.gpus()) * shares.milli();
        };
    }

    /// As quotas count them.
    private static long milliGpus(Grant.Slices slices) {
        long sum = 0;
        for (MigSlot slot : slices.at()) {
            sum += GpuRequest.slices(slot.profile(), 1).milliGpus();
        }
        return sum;
    }
}
