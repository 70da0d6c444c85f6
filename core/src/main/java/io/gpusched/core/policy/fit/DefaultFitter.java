package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/// Chooses GPUs, shares or slices inside a node: whole GPUs by how they are connected, shares on
/// the fullest GPU that takes them, slices where they spoil the least. GPUs that are hot are left
/// alone unless told otherwise, and a GPU is only ever held in one of the three ways.
public final class DefaultFitter implements Fitter {
    /// How whole GPUs are chosen where a task requires nothing in particular.
    public enum Whole {
        /// The best-connected set that leaves the rest best connected; see [LinkedSets].
        CONNECTED,
        /// As NVIDIA's device plug-in does; see [NvidiaBestEffort].
        BEST_EFFORT,
        /// From the fixed sets of a DGX-1; see [NvidiaStatic].
        STATIC
    }

    /// Beyond so many free GPUs, connected unalike, best effort would take too long.
    private static final int MOST_PARTED = 10;

    private static final int MOST_KEPT = 10_000;

    private record FitKey(Topology topology, long usable, int count) {}

    private final boolean avoidHot;
    private final Whole how;
    private final LinkAwareFitter linkAwareFitter = new LinkAwareFitter();
    private final MigFitter migFitter = new MigFitter();
    private final Map<FitKey, Long> parted = new LinkedHashMap<>();

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

    /// Those of the GPUs that have the memory and are of a model the shape accepts, and are not cut
    /// into slices for good.
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
        if (Long.bitCount(usable) > MOST_PARTED && !NvidiaBestEffort.alike(topology, usable)) {
            return linkAwareFitter.choose(node, usable, wanted);
        }
        return bestEffort(new FitKey(topology, usable, wanted.count()));
    }

    private long bestEffort(FitKey asked) {
        Long kept = parted.get(asked);
        if (kept == null) {
            if (parted.size() >= MOST_KEPT) {
                parted.clear();
            }
            kept = NvidiaBestEffort.choose(asked.topology, asked.usable, 0, asked.count);
            parted.put(asked, kept);
        }
        return kept;
    }
}
