package io.gpusched.core.place;

import io.gpusched.core.model.Counted;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Levels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.filter.Tainted;
import io.gpusched.core.policy.filter.TooSmall;
import io.gpusched.core.policy.filter.Uncut;
import io.gpusched.core.policy.filter.WrongModel;
import io.gpusched.core.policy.fit.InsideNode;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeIndex;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Whether a job asks for more than the present fleet has even when it is idle. Counts generously,
/// so what it says is certain: nothing that ends would let the job start, only other nodes would.
///
/// An ordinary job costs one look at one node; only who must be within one rack costs a look at
/// all.
public final class Never {
    /// What could be lifted soonest comes last.
    private static final List<Filter> FIXED =
            List.of(new TooSmall(), new WrongModel(), new Uncut(), new Tainted());

    private final ClusterState state;
    private final Levels levels;
    private final Supplier<Domains> domains;

    /// @param domains asked for only when a job must be within one place
    public Never(ClusterState state, Levels levels, Supplier<Domains> domains) {
        this.state = state;
        this.levels = levels;
        this.domains = domains;
    }

    /// Why not, for people; null when it could, or no node has joined yet.
    public @Nullable String why(JobSpec spec) {
        if (state.nodeIndex().isEmpty()) {
            return null;
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
        int required = Nearness.of(spec, levels).required();
        return required < 0 ? null : within(spec, required);
    }

    private @Nullable String fleet(Role role) {
        NodeIndex index = state.nodeIndex();
        long sum = 0;
        Refused nearest = null;
        int nodes = 0;
        for (int group = 0; group < index.groups() && sum < role.min(); group++) {
            NodeView sample = index.sample(group);
            if (sample == null) {
                continue;
            }
            Refused refused = refused(role.shape(), sample);
            if (refused == null) {
                sum += index.size(group) * tasks(role.shape(), sample.facts());
            } else if (nearest == null
                    || refused.by > nearest.by
                    || (refused.by == nearest.by && index.size(group) > nodes)) {
                nearest = refused;
                nodes = index.size(group);
            }
        }
        if (sum >= role.min()) {
            return null;
        }
        if (sum == 0) {
            return "no node could take a task even when idle"
                    + (nearest == null ? "" : ": " + nearest.why.why());
        }
        return "all nodes together, even when idle, take " + sum + " of " + role.min() + " tasks";
    }

    private String otherwise(JobSpec spec) {
        String cut = cut(spec);
        String gang = spec.isGang() ? "; " : "; with gang_scheduling, ";
        return cut == null ? "" : gang + cut + " would fit";
    }

    /// How the job would fit if it were cut into more, smaller tasks, the fewest that do: `3 tasks
    /// of 4`. Null when it fits as it is, would not in any way, or asks for more than is counted
    /// here, so that this would be a guess.
    public @Nullable String cut(JobSpec spec) {
        Role role = spec.roles().getFirst();
        Shape shape = role.shape();
        boolean counted =
                spec.roles().size() == 1
                        && spec.near().isEmpty()
                        && shape.nodes().isEmpty()
                        && !(shape.gpus() instanceof GpuRequest.Whole whole
                                && whole.minBandwidth() > 0);
        if (counted && fleet(role) != null) {
            for (Role cut : role.cuts()) {
                if (fleet(cut) == null) {
                    long each = cut.shape().gpus().milliGpus() / 1000;
                    return Counted.of(cut.min(), "task") + " of " + each;
                }
            }
        }
        return null;
    }

    private @Nullable String within(JobSpec spec, int required) {
        Domains.Level level = domains.get().at(required);
        var best = new long[level.size()];
        for (Role role : spec.roles()) {
            var sums = new long[level.size()];
            for (NodeView node : state.nodes()) {
                int place = level.of(node);
                if (place >= 0 && refused(role.shape(), node) == null) {
                    sums[place] += tasks(role.shape(), node.facts());
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
        String what = levels.names().get(required);
        return "no "
                + what
                + " is large enough even when idle"
                + (best.length == 0 || best[largest] == 0
                        ? ""
                        : ": the largest, "
                                + level.name(largest)
                                + ", takes "
                                + best[largest]
                                + " of "
                                + spec.tasks()
                                + " tasks");
    }

    /// Whether open nodes other than these could take tasks of every role if they were idle.
    public static boolean couldGoElsewhere(
            ClusterState state, JobSpec spec, Predicate<NodeId> except) {
        for (Role role : spec.roles()) {
            if (!isTakenElsewhere(state.nodeIndex(), role.shape(), except)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTakenElsewhere(
            NodeIndex index, Shape shape, Predicate<NodeId> except) {
        for (int group = 0; group < index.groups(); group++) {
            NodeView sample = index.sample(group);
            int size = sample == null || refused(shape, sample) != null ? 0 : index.size(group);
            for (int place = 0; place < size; place++) {
                NodeView node = index.member(group, place);
                if (node.status().open()
                        && !except.test(node.facts().id())
                        && node.facts().labels().containAll(shape.nodes())) {
                    return true;
                }
            }
        }
        return false;
    }

    /// @param by the first filter that refused; those before it did not
    private record Refused(int by, Refusal why) {}

    private static @Nullable Refused refused(Shape shape, NodeView node) {
        for (int by = 0; by < FIXED.size(); by++) {
            Refusal refusal = FIXED.get(by).refuse(shape, node);
            if (refusal != null) {
                return new Refused(by, refusal);
            }
        }
        return null;
    }

    /// At most so many tasks at once on an idle node.
    private static long tasks(Shape shape, Node node) {
        Resources needs = shape.host();
        Resources has = node.host();
        long most = Integer.MAX_VALUE;
        most = needs.milliCpu() == 0 ? most : Math.min(most, has.milliCpu() / needs.milliCpu());
        most = needs.memoryMiB() == 0 ? most : Math.min(most, has.memoryMiB() / needs.memoryMiB());
        return switch (shape.gpus()) {
            case GpuRequest.None none -> most;
            case GpuRequest.Whole whole -> {
                long right = InsideNode.suitable(shape, whole.memoryMiB(), node, node.allGpus());
                yield Math.min(most, Long.bitCount(right) / whole.count());
            }
            case GpuRequest.Slice slice ->
                    Math.min(most, Uncut.offered(shape, slice, node) / slice.count());
            case GpuRequest.Share share -> Math.min(most, shares(shape, share, node));
        };
    }

    private static long shares(Shape shape, GpuRequest.Share share, Node node) {
        long right = InsideNode.suitable(shape, share.memoryMiB(), node, node.allGpus());
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
