package io.gpusched.core.nodes;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;

import java.util.Arrays;

/// GPUs of a node that are used in part: MIG slices and shares. Immutable, because it is small;
/// nodes without partial use share [#NONE].
final class PartialGpus {
    static final PartialGpus NONE = new PartialGpus(new int[0], new int[0], new int[0]);

    static final int WHOLE = 1000;

    private final int[] slices;
    private final int[] milli;
    private final int[] memoryMiB;
    private final long shared;
    private final long sliced;

    private PartialGpus(int[] slices, int[] milli, int[] memoryMiB) {
        this.slices = slices;
        this.milli = milli;
        this.memoryMiB = memoryMiB;
        long withShares = 0;
        long withSlices = 0;
        for (int i = 0; i < slices.length; i++) {
            withShares |= milli[i] != 0 || memoryMiB[i] != 0 ? 1L << i : 0;
            withSlices |= slices[i] != 0 ? 1L << i : 0;
        }
        this.shared = withShares;
        this.sliced = withSlices;
    }

    /// GPUs with any partial use, one bit each.
    long touched() {
        return shared | sliced;
    }

    /// GPUs on which shares are held, one bit each.
    long shared() {
        return shared;
    }

    /// GPUs on which MIG slices are held, one bit each.
    long sliced() {
        return sliced;
    }

    int milli(int gpu) {
        return gpu < milli.length ? milli[gpu] : 0;
    }

    int memoryMiB(int gpu) {
        return gpu < memoryMiB.length ? memoryMiB[gpu] : 0;
    }

    /// Slices in use on the GPU, one bit each.
    int slices(int gpu) {
        return gpu < slices.length ? slices[gpu] : 0;
    }

    PartialGpus take(Grant.Slices grant) {
        PartialGpus next = copy(highest(grant.mask()) + 1);
        for (MigSlot slot : grant.at()) {
            int bits = bits(slot);
            Check.that(
                    (next.slices[slot.gpu()] & bits) == 0 && (shared >>> slot.gpu() & 1) == 0,
                    "MIG slot %s is in use",
                    slot);
            next.slices[slot.gpu()] |= bits;
        }
        return next.settled();
    }

    PartialGpus release(Grant.Slices grant) {
        PartialGpus next = copy(slices.length);
        for (MigSlot slot : grant.at()) {
            int bits = bits(slot);
            Check.that((next.slices[slot.gpu()] & bits) == bits, "MIG slot %s is not in use", slot);
            next.slices[slot.gpu()] &= ~bits;
        }
        return next.settled();
    }

    /// Memory is not checked: the GPU may have been described smaller since.
    PartialGpus take(Grant.Shares grant) {
        PartialGpus next = copy(highest(grant.gpus()) + 1);
        for (long rest = grant.gpus(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            next.milli[gpu] += grant.milli();
            next.memoryMiB[gpu] += grant.memoryMiB();
            Check.that(
                    next.milli[gpu] <= WHOLE && (sliced >>> gpu & 1) == 0,
                    "more than all of GPU %s is shared out",
                    gpu);
        }
        return next.settled();
    }

    /// Whether the shares on these GPUs use no more memory than the node has there.
    boolean memoryHolds(long gpus, Node node) {
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (memoryMiB(gpu) > node.gpus().get(gpu).memoryMiB()) {
                return false;
            }
        }
        return true;
    }

    private static int highest(long gpus) {
        return 63 - Long.numberOfLeadingZeros(gpus);
    }

    PartialGpus release(Grant.Shares grant) {
        PartialGpus next = copy(slices.length);
        for (long rest = grant.gpus(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            next.milli[gpu] -= grant.milli();
            next.memoryMiB[gpu] -= grant.memoryMiB();
            Check.that(
                    next.milli[gpu] >= 0 && next.memoryMiB[gpu] >= 0,
                    "more of GPU %s is returned than was allocated",
                    gpu);
        }
        return next.settled();
    }

    long digest() {
        long hash = 0;
        for (int i = 0; i < slices.length; i++) {
            if (slices[i] != 0 || milli[i] != 0 || memoryMiB[i] != 0) {
                hash = Digest.mix(hash, i);
                hash = Digest.mix(Digest.mix(hash, slices[i]), milli[i]);
                hash = Digest.mix(hash, memoryMiB[i]);
            }
        }
        return hash;
    }

    static int bits(MigSlot slot) {
        return slot.bits();
    }

    private PartialGpus copy(int gpus) {
        int size = Math.max(gpus, slices.length);
        return new PartialGpus(
                Arrays.copyOf(slices, size),
                Arrays.copyOf(milli, size),
                Arrays.copyOf(memoryMiB, size));
    }

    /// The same with its masks computed.
    private PartialGpus settled() {
        return new PartialGpus(slices, milli, memoryMiB);
    }
}
