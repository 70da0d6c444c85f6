package io.gpusched.core.place;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.filter.Tainted;
import io.gpusched.core.policy.filter.TooSmall;
import io.gpusched.core.policy.filter.WrongMigMode;
import io.gpusched.core.policy.filter.WrongModel;
import io.gpusched.core.policy.fit.DefaultFitter;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Checks whether a job requests more than the present fleet has even when it is idle. It counts
/// generously, so a negative answer is certain: no ending job would let this job start, only other
/// nodes would.
///
/// An ordinary job costs a look at one node. A gang costs a look at as many nodes as it needs; a
/// gang that does not fit, or must be within one rack, costs a look at all nodes.
public final class FleetCapacityCheck {
    /// Filters that may refuse a node that is large enough. The easiest to resolve comes last.
    private static final List<Filter> FIXED =
            List.of(new WrongModel(), new WrongMigMode(), new Tainted());

    private final ClusterState state;
    private final TopologyLevels topologyLevels;
    private final Supplier<TopologyDomains> domains;

    /// @param domains used only when a job must be within one topology domain
    public FleetCapacityCheck(
            ClusterState state, TopologyLevels topologyLevels, Supplier<TopologyDomains> domains) {
        this.state = state;
        this.topologyLevels = topologyLevels;
        this.domains = domains;
    }

    /// The reason why the job can never start; null when it could, or no node has joined yet.
    public @Nullable String why(JobSpec spec) {
        if (state.nodes().index().isEmpty()) {
            return null;
        }
        String missing = missingLabel(spec);
        if (missing != null) {
            return missing;
        }
        for (Role role : spec.roles()) {
            String why = fleet(role);
            if (why != null) {
                return why + otherwise(spec);
            }
        }
        if (spec.near().isEmpty() || spec.tasks() == 1) {
            return null;
        }
        int required = GangProximity.of(spec, topologyLevels).required();
        return required < 0 ? null : within(spec, required);
    }

    /// Which label that the job selects no node has, or that no node meets its requirements, as a
    /// sentence; null when that is not the
    /// reason, or no node has joined yet.
    public @Nullable String missingLabel(JobSpec spec) {
        if (state.nodes().index().isEmpty()) {
            return null;
        }
        var selectorCheck = new SelectorCheck(state);
        for (Role role : spec.roles()) {
            String missing = selectorCheck.missing(role.shape());
            if (missing != null) {
                return missing;
            }
        }
        return null;
    }

    private @Nullable String fleet(Role role) {
        NodeIndex index = state.nodes().index();
        Shape shape = role.shape();
        long sum = 0;
        Refused nearest = null;
        for (int group = 0; group < index.groups() && sum < role.min(); group++) {
            int large = index.large(group, shape.host());
            if (large < index.size(group)) {
                nearest = nearer(nearest, tooSmall(index.size(group) - large));
            }
            if (large > 0) {
                Refused refused = refused(shape, index.sample(group), large);
                if (refused == null) {
                    sum += tasks(shape, group, role.min() - sum);
                } else {
                    nearest = nearer(nearest, refused);
                }
            }
        }
        if (sum >= role.min()) {
            return null;
        }
        if (sum == 0) {
            return "no node could run a task even when idle"
                    + (nearest == null ? "" : ": " + nearest.why.why());
        }
        return "all nodes together, even when idle, can run "
                + sum
                + " of "
                + role.min()
                + " tasks";
    }

    /// How many tasks the group's nodes can run; it stops counting at `enough`.
    private long tasks(Shape shape, int group, long enough) {
        NodeIndex index = state.nodes().index();
        long byGpus = byGpus(shape, index.sample(group).facts());
        long sum = 0;
        for (int at = index.next(group, 0);
                at >= 0 && sum < enough;
                at = index.next(group, at + 1)) {
            sum += Math.min(byGpus, byHost(shape, index.member(at).facts()));
        }
        return sum;
    }

    private static Refused nearer(@Nullable Refused one, Refused other) {
        if (one == null || one.by < other.by) {
            return other;
        }
        return one.by > other.by || one.nodes >= other.nodes ? one : other;
    }

    private String otherwise(JobSpec spec) {
        String cut = cut(spec);
        String gang = spec.isGang() ? "; " : "; with gang_scheduling, ";
        return cut == null ? "" : gang + cut + " would fit";
    }

    /// How the job would fit if it were divided into more, smaller tasks, the fewest that do: `3
    /// tasks of 4`. Null when it fits as it is, would not fit at all, or has requirements that are
    /// not counted here, so that the answer would be a guess.
    public @Nullable String cut(JobSpec spec) {
        Role role = spec.roles().getFirst();
        Shape shape = role.shape();
        boolean counted =
                spec.roles().size() == 1
                        && spec.near().isEmpty()
                        && !shape.selectsNodes()
                        && !(shape.gpus() instanceof GpuRequest.Whole whole
                                && whole.minBandwidth() > 0);
        if (counted && fleet(role) != null) {
            for (Role cut : role.cuts()) {
                if (fleet(cut) == null) {
                    long each = cut.shape().gpus().milliGpus() / 1000;
                    return Plurals.of(cut.min(), "task") + " of " + each;
                }
            }
        }
        return null;
    }

    private @Nullable String within(JobSpec spec, int required) {
        TopologyDomains.Level level = domains.get().at(required);
        var best = new long[level.size()];
        for (Role role : spec.roles()) {
            var sums = new long[level.size()];
            for (NodeView node : state.nodes().all()) {
                int place = level.of(node);
                boolean large = role.shape().host().fitsIn(node.facts().host());
                if (place >= 0 && large && refused(role.shape(), node, 1) == null) {
                    sums[place] +=
                            Math.min(
                                    byGpus(role.shape(), node.facts()),
                                    byHost(role.shape(), node.facts()));
                }
            }
            for (int place = 0; place < sums.length; place++) {
                best[place] += Math.min(sums[place], role.min());
            }
        }
        int largest = 0;
        for (int place = 1; place < best.length; place++) {
            largest = best[place] > best[largest] ? place : largest;
        }
        if (best.length > 0 && best[largest] >= spec.tasks()) {
            return null;
        }
        String what = topologyLevels.names().get(required);
        return "no "
                + what
                + " is large enough even when idle"
                + (best.length == 0 || best[largest] == 0
                        ? ""
                        : ": the largest, "
                                + level.name(largest)
                                + ", can run "
                                + best[largest]
                                + " of "
                                + spec.tasks()
                                + " tasks");
    }

    /// Whether open nodes other than these could take tasks of every role if they were idle.
    public static boolean couldGoElsewhere(
            ClusterState state, JobSpec spec, Predicate<NodeId> except) {
        for (Role role : spec.roles()) {
            if (!isTakenElsewhere(state.nodes().index(), role.shape(), except)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTakenElsewhere(
            NodeIndex index, Shape shape, Predicate<NodeId> except) {
        for (int group = 0; group < index.groups(); group++) {
            NodeView sample = index.sample(group);
            if (refused(shape, sample, 1) != null) {
                continue;
            }
            for (int at = index.next(group, 0); at >= 0; at = index.next(group, at + 1)) {
                NodeView node = index.member(at);
                if (node.status().open()
                        && shape.host().fitsIn(node.facts().host())
                        && !except.test(node.facts().id())
                        && shape.selects(node.facts().labels())) {
                    return true;
                }
            }
        }
        return false;
    }

    /// @param by the first filter that refused; those before it did not
    /// @param nodes how many nodes it refused
    private record Refused(int by, Refusal why, int nodes) {}

    private static Refused tooSmall(int nodes) {
        return new Refused(-1, TooSmall.REFUSAL, nodes);
    }

    /// The refusal of all nodes of the group that are large enough, found on one of them.
    private static @Nullable Refused refused(Shape shape, NodeView node, int nodes) {
        for (int by = 0; by < FIXED.size(); by++) {
            Refusal refusal = FIXED.get(by).refuse(shape, node);
            if (refusal != null) {
                return new Refused(by, refusal, nodes);
            }
        }
        return null;
    }

    /// The most tasks for which an idle node has cores and memory.
    private static long byHost(Shape shape, Node node) {
        Resources needs = shape.host();
        Resources has = node.host();
        long most = Integer.MAX_VALUE;
        most = needs.milliCpu() == 0 ? most : Math.min(most, has.milliCpu() / needs.milliCpu());
        return needs.memoryMiB() == 0 ? most : Math.min(most, has.memoryMiB() / needs.memoryMiB());
    }

    /// The most tasks for which an idle node has GPUs.
    private static long byGpus(Shape shape, Node node) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> Integer.MAX_VALUE;
            case GpuRequest.Whole whole -> {
                long right = DefaultFitter.suitable(shape, whole.memoryMiB(), node, node.allGpus());
                yield Long.bitCount(right) / whole.count();
            }
            case GpuRequest.Slice slice -> WrongMigMode.offered(shape, slice, node) / slice.count();
            case GpuRequest.Share share -> shares(shape, share, node);
        };
    }

    private static long shares(Shape shape, GpuRequest.Share share, Node node) {
        long right = DefaultFitter.suitable(shape, share.memoryMiB(), node, node.allGpus());
        long sum = 0;
        for (long rest = right; rest != 0; rest &= rest - 1) {
            Gpu gpu = node.gpus().get(Long.numberOfTrailingZeros(rest));
            int memory = share.memoryOf(gpu.memoryMiB());
            int each = 1000 / share.milli();
            sum += memory == 0 ? each : Math.min(each, gpu.memoryMiB() / memory);
        }
        return sum / share.count();
    }
}
