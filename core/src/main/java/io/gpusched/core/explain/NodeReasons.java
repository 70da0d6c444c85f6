package io.gpusched.core.explain;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.place.Search;
import io.gpusched.core.place.Wanted;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Reason;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeIndex;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Counts, for every reason there is, the nodes that refuse a task because of it. A node counts for
/// the first rule that refuses it, in the order of the policy.
///
/// Rules that only look at what a node has are asked once for all nodes that have the same; of the
/// others, each node is asked those that come before. A fitter is not asked where too few GPUs are
/// free anyway. So ten thousand nodes take a few milliseconds.
final class NodeReasons {
    /// How many nodes gave a reason, and where it was met first.
    private static final class Count {
        int nodes;
        long first = Long.MAX_VALUE;
    }

    private final ClusterState state;
    private final Policy policy;
    private final Map<Refusal, Count> counts = new LinkedHashMap<>();
    private @Nullable Refusal[] tooFew = new @Nullable Refusal[0];

    /// Neighbours mostly give the same reason.
    private @Nullable Refusal last;

    private Count lastCount = new Count();

    /// How many nodes were looked at.
    long nodesLookedAt;

    NodeReasons(ClusterState state, Policy policy) {
        this.state = state;
        this.policy = policy;
    }

    /// Why nodes refuse a task of the job, the most frequent first.
    List<Reason> refusals(Job job) {
        return count(job, 1);
    }

    /// The same, and how many nodes would take one task when that is not enough.
    List<Reason> all(Job job) {
        return count(job, job.spec().tasks());
    }

    private List<Reason> count(Job job, int tasks) {
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
        return all.stream().map(e -> new Reason(e.getKey(), e.getValue().nodes)).toList();
    }

    private void ask(Shape shape, int role, int tasks) {
        tooFew = new @Nullable Refusal[shape.gpus().devices()];
        NodeIndex index = state.nodeIndex();
        List<Filter> filters = policy.filters();
        for (int group = 0; group < index.groups(); group++) {
            NodeView sample = index.sample(group);
            int upTo = sample == null ? 0 : firstFixedThatRefuses(shape, sample);
            Refusal fixed =
                    sample == null || upTo == filters.size()
                            ? null
                            : Search.refusal(filters.get(upTo), shape, sample);
            for (int place = 0; place < index.size(group); place++) {
                NodeView node = index.member(group, place);
                Refusal refusal = changing(shape, node, upTo);
                refusal = refusal == null ? fixed : refusal;
                refusal = refusal == null ? lacks(shape, node, tasks) : refusal;
                if (refusal != null) {
                    count(refusal, ((long) role << 32) + node.index());
                }
            }
        }
    }

    private int firstFixedThatRefuses(Shape shape, NodeView sample) {
        List<Filter> filters = policy.filters();
        for (int at = 0; at < filters.size(); at++) {
            Filter filter = filters.get(at);
            if (filter.fixed() && Search.refusal(filter, shape, sample) != null) {
                return at;
            }
        }
        return filters.size();
    }

    private @Nullable Refusal changing(Shape shape, NodeView node, int upTo) {
        nodesLookedAt++;
        for (int at = 0; at < upTo; at++) {
            Filter filter = policy.filters().get(at);
            Refusal refusal = filter.fixed() ? null : Search.refusal(filter, shape, node);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private void count(Refusal refusal, long at) {
        if (last == null || !refusal.equals(last)) {
            last = refusal;
            lastCount = counts.computeIfAbsent(refusal, one -> new Count());
        }
        lastCount.nodes++;
        lastCount.first = Math.min(lastCount.first, at);
    }

    /// What the node lacks for a task; null when it would take one.
    private @Nullable Refusal lacks(Shape shape, NodeView node, int tasks) {
        int devices = shape.gpus().devices();
        int free = Long.bitCount(node.freeGpus());
        boolean whole = shape.gpus() instanceof GpuRequest.Whole;
        if ((!whole || free >= devices) && policy.fitter().fit(shape, node, state) != null) {
            return tasks == 1
                    ? null
                    : Refusal.untilCapacity(
                            "gang", "takes some tasks, but not all " + tasks + " find a place");
        }
        return switch (shape.gpus()) {
            case GpuRequest.None none -> Refusal.untilCapacity("room", "no room for a task");
            case GpuRequest.Whole w -> lacksWhole(w, node, free);
            case GpuRequest.Share share ->
                    Refusal.untilCapacity(
                            "gpu-share",
                            "too few GPUs with " + Wanted.percent(share.milli()) + " % left");
            case GpuRequest.Slice slice ->
                    Refusal.untilCapacity(
                            "mig-slice",
                            "no place for "
                                    + Wanted.counted(slice.count(), "slice")
                                    + " of "
                                    + slice.profile());
        };
    }

    private Refusal lacksWhole(GpuRequest.Whole wanted, NodeView node, int free) {
        if (free >= wanted.count()) {
            return wanted.locality() != Locality.ANY || wanted.minBandwidth() > 0
                    ? Refusal.untilCapacity("links", "free GPUs are not connected as asked for")
                    : Refusal.untilCapacity("gpu-kind", "free GPUs are hot, or of another kind");
        }
        int idle = Long.bitCount(node.idleGpus());
        if (idle >= wanted.count()) {
            return Refusal.untilCapacity("promised", "free GPUs are promised to other jobs");
        }
        Refusal known = tooFew[free];
        if (known == null) {
            known =
                    Refusal.untilCapacity(
                            "free-gpus",
                            Wanted.counted(free, "free GPU")
                                    + ", a task asks for "
                                    + wanted.count());
            tooFew[free] = known;
        }
        return known;
    }
}
