package io.gpusched.core.policy.filter;

import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Plurals;
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
        long suitable = suitable(shape, wanted, node);
        return linkAwareFitter.choose(node, suitable, wanted) != 0
                ? null
                : Refusal.untilFleet("unconnected", why(wanted, node, suitable));
    }

    private static long suitable(Shape shape, GpuRequest.Whole wanted, Node node) {
        return DefaultFitter.suitable(shape, wanted.memoryMiB(), node, node.allGpus());
    }

    @Override
    public boolean fixed() {
        return true;
    }

    /// @param suitable the GPUs of a model and memory that the job accepts, whose connections count
    private String why(GpuRequest.Whole wanted, Node node, long suitable) {
        boolean all = suitable == node.allGpus();
        String gpus = all ? "GPUs of the node" : "suitable GPUs of the node";
        if (Long.bitCount(suitable) < wanted.count()) {
            return "node has "
                    + Plurals.of(Long.bitCount(suitable), all ? "GPU" : "suitable GPU")
                    + ", a task asks for "
                    + wanted.count();
        }
        if (node.topology().size() == 0 && wanted.locality() != Locality.ANY) {
            return "node does not report how its GPUs are connected";
        }
        if (wanted.locality() == Locality.NVLINK) {
            int most = most(wanted, node, suitable);
            if (most < 2) {
                return all ? "node has no NVLink" : "no two " + gpus + " are connected by NVLink";
            }
            if (most < wanted.count()) {
                return "at most " + most + " " + gpus + " are all connected by NVLink";
            }
        }
        if (wanted.locality() == Locality.SAME_SOCKET) {
            int most = most(wanted, node, suitable);
            if (most < wanted.count()) {
                if (!node.topology().hasSockets()) {
                    return "node does not report the sockets of its GPUs";
                }
                return most < 2
                        ? "no two " + gpus + " share a socket"
                        : "at most " + most + " " + gpus + " share a socket";
            }
        }
        return gpus
                + " reach "
                + reach(wanted, node, suitable)
                + " GB/s in sets of "
                + wanted.count();
    }

    /// The size of the largest set with the requested locality, whatever its bandwidth.
    private int most(GpuRequest.Whole wanted, Node node, long suitable) {
        for (int count = Math.min(wanted.count(), Long.bitCount(suitable)); count > 1; count--) {
            var fewer = new GpuRequest.Whole(count, 0, wanted.locality(), 0);
            if (linkAwareFitter.choose(node, suitable, fewer) != 0) {
                return count;
            }
        }
        return suitable == 0 ? 0 : 1;
    }

    /// The highest bandwidth that every pair of some set of the requested size has on this node, in
    /// GB/s; 0 when the node cannot have such a set at all. Only GPUs that suit the shape count.
    public int reach(Shape shape, GpuRequest.Whole wanted, Node node) {
        return reach(wanted, node, suitable(shape, wanted, node));
    }

    private int reach(GpuRequest.Whole wanted, Node node, long suitable) {
        int best = 0;
        for (long rest = suitable; rest != 0; rest &= rest - 1) {
            var gpu = node.gpus().get(Long.numberOfTrailingZeros(rest));
            GpuFamily family = GpuFamily.of(gpu.model().family());
            for (int links = family.nvlinks(); links >= 0; links--) {
                int gbps = family.gbps(links);
                if (gbps <= best) {
                    break;
                }
                var probe = new GpuRequest.Whole(wanted.count(), 0, wanted.locality(), gbps);
                if (linkAwareFitter.choose(node, suitable, probe) != 0) {
                    best = gbps;
                }
            }
        }
        return best;
    }
}
