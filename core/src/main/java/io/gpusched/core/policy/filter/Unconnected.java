package io.gpusched.core.policy.filter;

import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.fit.DefaultFitter;
import io.gpusched.core.policy.fit.LinkAwareFitter;

import org.jspecify.annotations.Nullable;

/// Refuses nodes whose GPUs, even when all are idle, are not connected as a task requires.
public final class Unconnected implements Filter {
    private final LinkAwareFitter linkAwareFitter = new LinkAwareFitter();

    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        return refuse(shape, node.facts());
    }

    /// The same for a node of which only the description is known.
    public @Nullable Refusal refuse(Shape shape, Node node) {
        if (!(shape.gpus() instanceof GpuRequest.Whole wanted) || !wanted.isParticular()) {
            return null;
        }
        long suitable = DefaultFitter.suitable(shape, wanted.memoryMiB(), node, node.allGpus());
        return linkAwareFitter.choose(node, suitable, wanted) != 0
                ? null
                : Refusal.untilFleet("unconnected", why(wanted, node));
    }

    @Override
    public boolean fixed() {
        return true;
    }

    private String why(GpuRequest.Whole wanted, Node node) {
        boolean known = node.topology().size() > 0;
        if (!known && wanted.locality() != Locality.ANY) {
            return "node does not report how its GPUs are connected";
        }
        if (wanted.locality() == Locality.NVLINK) {
            var plain = new GpuRequest.Whole(wanted.count(), 0, Locality.NVLINK, 0);
            int most = most(plain, node);
            if (most < wanted.count()) {
                return most < 2
                        ? "node has no NVLink"
                        : "at most " + most + " GPUs of the node are all connected by NVLink";
            }
        }
        if (wanted.locality() == Locality.SAME_SOCKET) {
            var plain = new GpuRequest.Whole(wanted.count(), 0, Locality.SAME_SOCKET, 0);
            int most = most(plain, node);
            if (most < wanted.count()) {
                if (!node.topology().hasSockets()) {
                    return "node does not report the sockets of its GPUs";
                }
                return most < 2
                        ? "no two GPUs of the node share a socket"
                        : "at most " + most + " GPUs of the node share a socket";
            }
        }
        return "GPUs of the node reach "
                + reach(node, wanted)
                + " GB/s in sets of "
                + wanted.count();
    }

    private int most(GpuRequest.Whole wanted, Node node) {
        for (int count = Math.min(wanted.count(), node.gpus().size()); count > 1; count--) {
            var fewer = new GpuRequest.Whole(count, 0, wanted.locality(), wanted.minBandwidth());
            if (linkAwareFitter.choose(node, node.allGpus(), fewer) != 0) {
                return count;
            }
        }
        return node.gpus().isEmpty() ? 0 : 1;
    }

    /// The highest bandwidth that every pair of some set of the requested size has on this node, in
    /// GB/s; 0 when the node cannot have such a set at all.
    public int reach(Node node, GpuRequest.Whole wanted) {
        int best = 0;
        for (var gpu : node.gpus()) {
            GpuFamily family = GpuFamily.of(gpu.model().family());
            for (int links = family.nvlinks(); links >= 0; links--) {
                int gbps = family.gbps(links);
                if (gbps <= best) {
                    break;
                }
                var probe = new GpuRequest.Whole(wanted.count(), 0, wanted.locality(), gbps);
                if (linkAwareFitter.choose(node, node.allGpus(), probe) != 0) {
                    best = gbps;
                }
            }
        }
        return best;
    }
}
