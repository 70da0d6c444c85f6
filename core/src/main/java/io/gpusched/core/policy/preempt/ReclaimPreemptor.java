package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;

/// Reclaims what other tenants borrow, for a job that its tenant's guarantee covers; otherwise
/// preempts less important jobs of the same tenant.
///
///     8 GPUs; A is guaranteed 4 and holds 0; B is guaranteed 4 and holds 8
///       a job of A for 4: 4 GPUs are reclaimed from B's jobs, whatever their priority
///
/// Between two tenants only guarantees count, priority does not: otherwise a tenant could keep what
/// it borrowed by giving its jobs a high priority. The comparison is between the two ancestors that
/// are siblings, so a team reclaims from a sibling team within their department, and from outside
/// only what their department is guaranteed. No tenant falls below its guarantee, at any level. The
/// victims are warm replicas first, then the least important jobs and, among equals, those that
/// lose the fewest GPU-seconds.
///
/// Why it terminates: reclaiming raises what is held under guarantees by what the job needs and
/// lowers it for no tenant, and the sum of all guarantees is finite. Inside a tenant, priority
/// strictly falls along any chain.
public final class ReclaimPreemptor implements Preemptor {
    /// If not everything borrowed can be reclaimed at once, this many nodes are tried alone.
    private static final int MOST_NODES = 64;

    private final LostWork lost;
    private final Preemptor inside;

    /// @param inside chooses victims for a job of the same tenant
    public ReclaimPreemptor(LostWork lost, PriorityPreemptor inside) {
        this.lost = lost;
        this.inside = inside.ofOneTenant();
    }

    @Override
    public long leavesFor(Job running, Instant now) {
        return inside.leavesFor(running, now);
    }

    @Override
    public @Nullable Instant leavesAt(Job running, Job job, Instant now) {
        return inside.leavesAt(running, job, now);
    }

    @Override
    public @Nullable Instant nextToLeave(int priority, ClusterView cluster, Instant now) {
        return inside.nextToLeave(priority, cluster, now);
    }

    @Override
    public List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now) {
        if (!PriorityPreemptor.mayPreempt(job, cluster)) {
            return List.of();
        }
        List<Job> victims = new Loans(job, cluster, lost).victims(victimTrial, now);
        return victims.isEmpty() ? inside.victims(job, cluster, victimTrial, now) : victims;
    }

    @Override
    public PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now) {
        boolean taken = PriorityPreemptor.mayPreempt(job, cluster) && job.spec().milliGpus() > 0;
        var loans = new Loans(job, cluster, lost);
        if (!taken || !loans.covers(running)) {
            return inside.stay(running, job, cluster, now);
        }
        PreemptionVerdict again = again(running, cluster);
        if (again != PreemptionVerdict.LEAVES) {
            return again;
        }
        if (!loans.leavesEnough(running, id -> cluster.tenants().usage(id).milliGpus())) {
            return PreemptionVerdict.GUARANTEED;
        }
        return PriorityPreemptor.endsSoonAnyway(running, now)
                ? PreemptionVerdict.ENDS_SOON
                : PreemptionVerdict.LEAVES;
    }

    @Override
    public String lesser() {
        return "below it";
    }

    private static PreemptionVerdict again(Job running, ClusterView cluster) {
        Tenant tenant = cluster.tenants().find(running.tenant());
        return tenant == null
                ? PreemptionVerdict.FORBIDDEN
                : PriorityPreemptor.again(running, tenant);
    }

    /// Borrowed capacity that the job may reclaim.
    private static final class Loans {
        private final Job job;
        private final ClusterView cluster;
        private final LostWork lost;
        private final List<TenantId> path;

        /// What each tenant holds and will keep holding.
        private final Map<TenantId, Long> held = new LinkedHashMap<>();

        Loans(Job job, ClusterView cluster, LostWork lost) {
            this.lost = lost;
            this.job = job;
            this.cluster = cluster;
            this.path = path(job.tenant());
        }

        List<Job> victims(VictimTrial victimTrial, Instant now) {
            if (job.spec().milliGpus() == 0 || !coveredAnywhere()) {
                return List.of();
            }
            List<Job> candidates = candidates(victimTrial, now);
            List<Job> all = takeFrom(candidates, victimTrial);
            if (victimTrial.fits()) {
                return spareUnneeded(all, victimTrial);
            }
            all.forEach(victimTrial::restore);
            all.forEach(this::stays);
            return fromOneNode(candidates, victimTrial);
        }

        private List<Job> fromOneNode(List<Job> candidates, VictimTrial victimTrial) {
            int tried = 0;
            for (NodeId node : nodes(candidates)) {
                if (++tried > MOST_NODES) {
                    break;
                }
                List<Job> there = new ArrayList<>(candidates);
                there.removeIf(other -> !isOn(other, node));
                List<Job> taken = takeFrom(there, victimTrial);
                if (victimTrial.fits()) {
                    return spareUnneeded(taken, victimTrial);
                }
                taken.forEach(victimTrial::restore);
                taken.forEach(this::stays);
            }
            return List.of();
        }

        /// All jobs that can be evicted without any tenant falling below a guarantee, the first
        /// first.
        private List<Job> takeFrom(List<Job> candidates, VictimTrial victimTrial) {
            var taken = new ArrayList<Job>();
            for (Job other : candidates) {
                if (leavesEnough(other, id -> held.getOrDefault(id, 0L))) {
                    change(other, -other.spec().milliGpus());
                    victimTrial.evict(other);
                    taken.add(other);
                }
            }
            return taken;
        }

        private void stays(Job other) {
            change(other, other.spec().milliGpus());
        }

        private void change(Job other, long more) {
            for (TenantId id : path(other.tenant())) {
                held.merge(id, more, Long::sum);
            }
        }

        private List<Job> spareUnneeded(List<Job> taken, VictimTrial victimTrial) {
            var needed = new ArrayList<Job>();
            PriorityPreemptor.spareUnneeded(taken, victimTrial, needed);
            return needed;
        }

        private List<Job> candidates(VictimTrial victimTrial, Instant now) {
            var candidates = new ArrayList<Job>();
            var evicted = new ArrayList<Job>();
            for (Job other : cluster.runs().byExpectedEnd()) {
                if (other.phase() instanceof Phase.Stopping) {
                    evicted.add(other);
                } else if (!PriorityPreemptor.endsSoonAnyway(other, now)
                        && again(other, cluster) == PreemptionVerdict.LEAVES
                        && other.spec().milliGpus() > 0
                        && covers(other)
                        && victimTrial.couldUse(other)) {
                    candidates.add(other);
                }
            }
            for (Tenant tenant : cluster.tenants().all()) {
                held.put(tenant.id(), cluster.tenants().usage(tenant.id()).milliGpus());
            }
            evicted.forEach(other -> change(other, -other.spec().milliGpus()));
            candidates.sort(
                    Comparator.comparing((Job other) -> !cluster.pools().isWarm(other))
                            .thenComparing(lost.leastFirst(now)));
            return candidates;
        }

        /// Whether any guarantee that applies to the job covers it.
        private boolean coveredAnywhere() {
            for (TenantId id : path) {
                if (isCovered(id)) {
                    return true;
                }
            }
            return false;
        }

        /// Whether the job is covered by the guarantee of its ancestor below the common ancestor
        /// with the other job.
        private boolean covers(Job other) {
            TenantId apart = apart(path, path(other.tenant()));
            return apart != null && isCovered(apart);
        }

        private boolean isCovered(TenantId id) {
            Tenant tenant = cluster.tenants().find(id);
            return tenant != null
                    && cluster.tenants().usage(id).milliGpus()
                                    + aboutToStart(id)
                                    + job.spec().milliGpus()
                            <= tenant.guaranteed().milliGpus();
        }

        /// Usage of the tenant's jobs for which others are already being preempted.
        private long aboutToStart(TenantId tenant) {
            long sum = 0;
            for (Claim claim : cluster.claims()) {
                if (claim.kind() == Claim.Kind.ROOM
                        && claim.claimHolder() instanceof ClaimHolder.OfJob of
                        && !of.job().equals(job.id())) {
                    Job holder = cluster.job(of.job());
                    if (holder != null && path(holder.tenant()).contains(tenant)) {
                        sum += holder.spec().milliGpus();
                    }
                }
            }
            return sum;
        }

        /// Whether no tenant of the other job would fall below its guarantee without it.
        private boolean leavesEnough(Job other, ToLongFunction<TenantId> holds) {
            List<TenantId> others = path(other.tenant());
            for (TenantId id : others) {
                if (path.contains(id)) {
                    return true;
                }
                long guaranteed =
                        Objects.requireNonNull(cluster.tenants().find(id)).guaranteed().milliGpus();
                if (holds.applyAsLong(id) - other.spec().milliGpus() < guaranteed) {
                    return false;
                }
            }
            return true;
        }

        /// The last of `path` that is not in `other`; null when the first is.
        private static @Nullable TenantId apart(List<TenantId> path, List<TenantId> other) {
            TenantId apart = null;
            for (TenantId id : path) {
                if (other.contains(id)) {
                    break;
                }
                apart = id;
            }
            return apart;
        }

        /// The tenant and its ancestors.
        private List<TenantId> path(TenantId id) {
            var found = new ArrayList<TenantId>(3);
            Tenant tenant = cluster.tenants().find(id);
            while (tenant != null) {
                found.add(tenant.id());
                tenant = tenant.parent() == null ? null : cluster.tenants().find(tenant.parent());
            }
            return found;
        }

        private static Set<NodeId> nodes(List<Job> jobs) {
            var nodes = new LinkedHashSet<NodeId>();
            for (Job other : jobs) {
                for (Slot slot : slots(other)) {
                    nodes.add(slot.node());
                }
            }
            return nodes;
        }

        private static boolean isOn(Job other, NodeId node) {
            for (Slot slot : slots(other)) {
                if (slot.node().equals(node)) {
                    return true;
                }
            }
            return false;
        }

        private static List<Slot> slots(Job other) {
            return Objects.requireNonNull(other.phase().run()).on().slots();
        }
    }
}
