package io.gpusched.core.policy.fit;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;

import org.jspecify.annotations.Nullable;

/// Places shares on the GPUs with the least left that still fit them, the lowest index on ties, so
/// that idle GPUs stay whole. Neither compute nor memory is ever given twice.
///
///     30 % left, 50 % left, idle   a share of 40 % → the second
public final class ShareFitter {
    private ShareFitter() {}

    static @Nullable Grant fit(Shape shape, GpuRequest.Share wanted, NodeView node, long avoid) {
        Node facts = node.facts();
        long open =
                DefaultFitter.suitable(shape, wanted.memoryMiB(), facts, facts.allGpus() & ~avoid);
        int memory = memory(wanted, facts, open);
        long chosen = 0;
        for (int count = 0; count < wanted.count(); count++) {
            int best = tightest(wanted, memory, node, open & ~chosen);
            if (best < 0) {
                return null;
            }
            chosen |= 1L << best;
        }
        return new Grant.Shares(chosen, wanted.milli(), memory);
    }

    /// One share, and the GPUs on which it fits now, one bit each.
    public record Offer(long gpus, int milli, int memoryMiB) {
        public Grant on(int gpu) {
            return new Grant.Shares(1L << gpu, milli, memoryMiB);
        }
    }

    /// The GPUs on which a single share fits.
    ///
    /// @param avoid GPUs that are not to be used
    public static Offer offer(Shape shape, GpuRequest.Share wanted, NodeView node, long avoid) {
        Node facts = node.facts();
        long open =
                DefaultFitter.suitable(shape, wanted.memoryMiB(), facts, facts.allGpus() & ~avoid);
        int memory = memory(wanted, facts, open);
        long fitting = 0;
        for (long rest = open; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            boolean fits =
                    node.leftMilli(gpu) >= wanted.milli() && node.leftMemoryMiB(gpu) >= memory;
            fitting |= fits ? 1L << gpu : 0;
        }
        return new Offer(fitting, wanted.milli(), memory);
    }

    /// The same amount on every GPU, so the smallest GPU counts.
    private static int memory(GpuRequest.Share wanted, Node node, long open) {
        int least = Integer.MAX_VALUE;
        for (long rest = open; rest != 0; rest &= rest - 1) {
            least = Math.min(least, node.gpus().get(Long.numberOfTrailingZeros(rest)).memoryMiB());
        }
        return open == 0 ? 0 : wanted.memoryOf(least);
    }

    private static int tightest(GpuRequest.Share wanted, int memory, NodeView node, long open) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (long rest = open; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            int left = node.leftMilli(gpu);
            if (left >= wanted.milli() && left < least && node.leftMemoryMiB(gpu) >= memory) {
                best = gpu;
                least = left;
            }
        }
        return best;
    }
}
