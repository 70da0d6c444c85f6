package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Topology;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/// Chooses GPUs, shares or slices inside a node: whole GPUs by their connections, shares on the
/// fullest GPU that fits them, slices where they block the fewest positions. It avoids hot GPUs
/// unless configured otherwise, and a GPU is only ever used in one of the three ways.
public final class DefaultFitter implements Fitter {
    /// How whole GPUs are chosen where a task has no special requirement.
    public enum Whole {
        /// The best-connected set that leaves the rest best connected; see [LinkedSets].
        CONNECTED,
        /// As NVIDIA's device plug-in does; see [NvidiaBestEffort].
        BEST_EFFORT,
        /// From the fixed sets of a DGX-1; see [NvidiaStatic].
        STATIC
    }

    /// With more free GPUs than this, connected unequally, best effort would take too long.
    private static final int MOST_PARTITIONED = 10;

    private static final int MOST_KEPT = 10_000;

    private record ChoiceKey(Topology topology, long usable, int count) {}

    private final boolean avoidHot;
    private final Whole how;
    private final LinkAwareFitter linkAwareFitter = new LinkAwareFitter();
    private final MigFitter migFitter = new MigFitter();
    private final Map<ChoiceKey, Long> bestEffortSets = new LinkedHashMap<>();

    public DefaultFitter(boolean avoidHot, Whole how) {
        this.avoidHot = avoidHot;
        this.how = how;
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> new Grant.None();
            case GpuRequest.Whole whole -> whole(shape, whole, node);
            case GpuRequest.Slice slice -> migFitter.fit(shape, slice, node, avoid(node));
            case GpuRequest.Share share -> ShareFitter.fit(shape, share, node, avoid(node));
        };
    }

    @Override
    public boolean local() {
        return true;
    }

    private long avoid(NodeView node) {
        return avoidHot ? node.hotGpus() : 0;
    }

    private @Nullable Grant whole(Shape shape, GpuRequest.Whole wanted, NodeView node) {
        long free = node.freeGpus() & ~avoid(node);
        if (Long.bitCount(free) < wanted.count()) {
            return null;
        }
        long usable = suitable(shape, wanted.memoryMiB(), node.facts(), free);
        long chosen = choose(node.facts(), usable, wanted);
        return chosen == 0 ? null : new Grant.Whole(chosen);
    }

    /// The GPUs that have the memory and a model that the shape accepts, and are not permanently
    /// partitioned into slices.
    public static long suitable(Shape shape, int memoryMiB, Node node, long gpus) {
        long suitable = 0;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            Gpu gpu = node.gpus().get(Long.numberOfTrailingZeros(rest));
            boolean suits = gpu.memoryMiB() >= memoryMiB && shape.acceptsModel(gpu.model());
            suitable |= suits ? Long.lowestOneBit(rest) : 0;
        }
        return suitable & ~MigConfig.cutForGood(node);
    }

    private long choose(Node node, long usable, GpuRequest.Whole wanted) {
        Topology topology = node.topology();
        boolean known = topology.size() == node.gpus().size() && topology.size() > 0;
        if (how == Whole.CONNECTED || wanted.isParticular() || !known) {
            return linkAwareFitter.choose(node, usable, wanted);
        }
        if (how == Whole.STATIC) {
            return NvidiaStatic.choose(topology, usable, 0, wanted.count());
        }
        if (Long.bitCount(usable) > MOST_PARTITIONED && !NvidiaBestEffort.alike(topology, usable)) {
            return linkAwareFitter.choose(node, usable, wanted);
        }
        return bestEffort(new ChoiceKey(topology, usable, wanted.count()));
    }

    private long bestEffort(ChoiceKey key) {
        Long kept = bestEffortSets.get(key);
        if (kept == null) {
            if (bestEffortSets.size() >= MOST_KEPT) {
                bestEffortSets.clear();
            }
            kept = NvidiaBestEffort.choose(key.topology, key.usable, 0, key.count);
            bestEffortSets.put(key, kept);
        }
        return kept;
    }
}
