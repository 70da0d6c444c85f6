package io.gpusched.core.explain;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.place.NodeSearch;
import io.gpusched.core.place.RequestText;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;

/// Counts the nodes that refuse a task, by reason. A node counts for the rule that is farthest from
/// being lifted and, among equals, comes first in the policy. For example, a cordoned node of the
/// wrong model counts as the wrong model, because to open it would not help the job.
///
/// Fixed rules are evaluated once for all nodes of a group. If one of them refuses, only the rules
/// before it in the policy are evaluated for each node. The fitter is skipped if too few GPUs are
/// free. So ten thousand nodes take a few milliseconds.
final class NodeReasons {
    /// The number of nodes with a reason, the position of the first one, and the names of a few.
    private static final class Count {
        int nodes;
        long first = Long.MAX_VALUE;
        final TreeMap<Integer, NodeId> named = new TreeMap<>();
        final SequencedSet<JobId> reservedFor = new LinkedHashSet<>();

        void name(NodeView node) {
            if (named.size() < RefusalCount.MOST_NAMED || node.index() < named.lastKey()) {
                named.put(node.index(), node.facts().id());
            }
            if (named.size() > RefusalCount.MOST_NAMED) {
                named.pollLastEntry();
            }
        }
    }

    private final ClusterState state;
    private final Policy policy;
    private final CapacityView view;
    private final Map<Refusal, Count> counts = new LinkedHashMap<>();
    private @Nullable Refusal[] tooFew = new @Nullable Refusal[0];

    /// Cached, because consecutive nodes mostly have the same reason.
    private @Nullable Refusal last;

    private Count lastCount = new Count();

    /// The GPUs of the present node that would be free if they were not reserved for other jobs, if
    /// the refusal mentions them.
    private long reserved;

    /// How many nodes were looked at.
    long nodesLookedAt;

    /// @param view what the job may use
    NodeReasons(ClusterState state, Policy policy, CapacityView view) {
        this.state = state;
        this.policy = policy;
        this.view = view;
    }

    /// Why nodes refuse a task of the job, the most frequent first.
    List<RefusalCount> refusals(Job job) {
        return count(job, 1);
    }

    /// The same, and how many nodes would take one task when that is not enough.
    List<RefusalCount> all(Job job) {
        return count(job, job.spec().tasks());
    }

    private List<RefusalCount> count(Job job, int tasks) {
        counts.clear();
        last = null;
        List<Role> roles = job.spec().roles();
        for (int role = 0; role < roles.size(); role++) {
            ask(roles.get(role).shape(), role, tasks);
        }
        var all = new ArrayList<>(counts.entrySet());
        all.sort(
                Comparator.comparingInt((Map.Entry<Refusal, Count> e) -> -e.getValue().nodes)
                        .thenComparingLong(e -> e.getValue().first));
        return all.stream().map(e -> reason(e.getKey(), e.getValue())).toList();
    }

    private static RefusalCount reason(Refusal refusal, Count count) {
        return new RefusalCount(
                refusal,
                count.nodes,
                List.copyOf(count.named.values()),
                List.copyOf(count.reservedFor));
    }

    private void ask(Shape shape, int role, int tasks) {
        tooFew = new @Nullable Refusal[shape.gpus().devices()];
        NodeIndex index = state.nodes().index();
        for (int group = 0; group < index.groups(); group++) {
            Ruling fixed = fixed(shape, index.sample(group));
            for (int at = index.next(group, 0); at >= 0; at = index.next(group, at + 1)) {
                NodeView node = view.show(index.member(at));
                reserved = 0;
                Refusal refusal = changing(shape, node, fixed, tasks);
                if (refusal != null) {
                    count(refusal, node, role);
                }
            }
        }
    }

    /// The refusal of a rule.
    ///
    /// @param at the rule's position in the policy; after all rules if none refused
    private record Ruling(int at, @Nullable Refusal refusal) {}

    /// The verdict of the fixed rules on all nodes of a group.
    private Ruling fixed(Shape shape, NodeView sample) {
        List<Filter> filters = policy.filters();
        Refusal found = null;
        int foundAt = filters.size();
        for (int at = 0; at < filters.size() && !isFarthest(found); at++) {
            Refusal refusal =
                    filters.get(at).fixed()
                            ? NodeSearch.refusal(filters.get(at), shape, sample)
                            : null;
            if (refusal != null && (found == null || refusal.distance() > found.distance())) {
                found = refusal;
                foundAt = at;
            }
        }
        return new Ruling(foundAt, found);
    }

    /// The reason of the node, from the fixed rules and the other rules; null if it could run all
    /// tasks.
    private @Nullable Refusal changing(Shape shape, NodeView node, Ruling fixed, int tasks) {
        List<Filter> filters = policy.filters();
        Refusal found = fixed.refusal;
        int foundAt = fixed.at;
        int last = isFarthest(found) ? foundAt : filters.size();
        nodesLookedAt += isFarthest(found) ? 0 : 1;
        for (int at = 0; at < last; at++) {
            Filter filter = filters.get(at);
            Refusal refusal = filter.fixed() ? null : NodeSearch.refusal(filter, shape, node);
            if (refusal != null && counts(refusal, at, found, foundAt)) {
                found = refusal;
                foundAt = at;
                last = isFarthest(found) ? at : last;
            }
        }
        return found == null ? lacks(shape, node, tasks) : found;
    }

    /// Whether the refusal is farther from being lifted than the one found or, where they are
    /// equally far, its rule comes first in the policy.
    private static boolean counts(Refusal refusal, int at, @Nullable Refusal found, int foundAt) {
        return found == null
                || refusal.distance() > found.distance()
                || (refusal.distance() == found.distance() && at < foundAt);
    }

    private static boolean isFarthest(@Nullable Refusal refusal) {
        return refusal != null && refusal.distance() == Refusal.FARTHEST;
    }

    private void count(Refusal refusal, NodeView node, int role) {
        if (last == null || !refusal.equals(last)) {
            last = refusal;
            lastCount = counts.computeIfAbsent(refusal, one -> new Count());
        }
        lastCount.nodes++;
        lastCount.first = Math.min(lastCount.first, ((long) role << 32) + node.index());
        int distance = refusal.distance();
        if (distance > 0 && distance < Refusal.FARTHEST) {
            lastCount.name(node);
        }
        if (reserved != 0) {
            addHolders(node.facts().id(), lastCount.reservedFor);
        }
    }

    /// Adds the jobs for which the reserved GPUs of the node are kept, a few more than are named.
    private void addHolders(NodeId node, SequencedSet<JobId> holders) {
        for (Claim claim : state.claims()) {
            if (holders.size() > RefusalCount.MOST_NAMED) {
                return;
            }
            if (claim.claimHolder() instanceof ClaimHolder.OfJob of && keeps(claim, node)) {
                holders.add(of.job());
            }
        }
    }

    private boolean keeps(Claim claim, NodeId node) {
        for (Slot slot : claim.slots()) {
            if (slot.node().equals(node) && (slot.grant().mask() & reserved) != 0) {
                return true;
            }
        }
        return false;
    }

    /// What the node lacks for a task; null if a task fits.
    private @Nullable Refusal lacks(Shape shape, NodeView node, int tasks) {
        int devices = shape.gpus().devices();
        int free = Long.bitCount(node.freeGpus());
        boolean whole = shape.gpus() instanceof GpuRequest.Whole;
        if ((!whole || free >= devices) && policy.fitter().fit(shape, node, view) != null) {
            return tasks == 1
                    ? null
                    : Refusal.untilCapacity(
                            "gang", "takes some tasks, but not all " + tasks + " find a place");
        }
        reserved = devices == 0 ? 0 : node.idleGpus() & ~node.freeGpus();
        String beside = reserved == 0 ? "" : "; free GPUs are reserved for other jobs";
        return switch (shape.gpus()) {
            case GpuRequest.None none -> Refusal.untilCapacity("room", "no room for a task");
            case GpuRequest.Whole w -> lacksWhole(w, node, free);
            case GpuRequest.Share share ->
                    Refusal.untilCapacity(
                            "gpu-share",
                            "too few GPUs with "
                                    + RequestText.percent(share.milli())
                                    + " % left"
                                    + beside);
            case GpuRequest.Slice slice ->
                    Refusal.untilCapacity(
                            "mig-slice",
                            "no place for "
                                    + Plurals.of(slice.count(), "slice")
                                    + " of "
                                    + slice.profile()
                                    + beside);
        };
    }

    private Refusal lacksWhole(GpuRequest.Whole wanted, NodeView node, int free) {
        if (free >= wanted.count()) {
            reserved = 0;
            return wanted.locality() != Locality.ANY || wanted.minBandwidth() > 0
                    ? Refusal.untilCapacity("links", "free GPUs are not connected as asked for")
                    : Refusal.untilCapacity("gpu-kind", "free GPUs are hot, or of another kind");
        }
        int idle = Long.bitCount(node.idleGpus());
        if (idle >= wanted.count()) {
            return Refusal.untilCapacity("promised", "free GPUs are reserved for other jobs");
        }
        if (reserved != 0) {
            return Refusal.untilCapacity(
                    "free-gpus",
                    partlyReserved(idle, free) + ", a task asks for " + wanted.count());
        }
        Refusal known = tooFew[free];
        if (known == null) {
            known =
                    Refusal.untilCapacity(
                            "free-gpus",
                            Plurals.of(free, "free GPU") + ", a task asks for " + wanted.count());
            tooFew[free] = known;
        }
        return known;
    }

    /// `6 free GPUs, 4 of them reserved for other jobs`.
    private static String partlyReserved(int idle, int free) {
        String part = idle - free + " of them";
        if (free == 0) {
            part = idle == 1 ? "which is" : "all";
        }
        return Plurals.of(idle, "free GPU") + ", " + part + " reserved for other jobs";
    }
}
