package io.gpusched.core.state;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;

import java.util.Arrays;

/// GPUs of a node that are used in part: MIG slices and shares. Immutable, because it is rare and
/// small; nodes without partial use share [#NONE].
final class PartialGpus {
    static final PartialGpus NONE = new PartialGpus(new int[0], new int[0], new int[0]);

    private static final int WHOLE = 1000;

    private final int[] slices;
    private final int[] milli;
    private final int[] memoryMiB;

    private PartialGpus(int[] slices, int[] milli, int[] memoryMiB) {
        this.slices = slices;
        this.milli = milli;
        this.memoryMiB = memoryMiB;
    }

    /// GPUs with any partial use, one bit each.
    long touched() {
        long mask = 0;
        for (int i = 0; i < slices.length; i++) {
            mask |= slices[i] != 0 || milli[i] != 0 || memoryMiB[i] != 0 ? 1L << i : 0;
        }
        return mask;
    }

    PartialGpus take(Grant.Slices grant, int gpus) {
        PartialGpus next = copy(gpus);
        for (MigSlot slot : grant.at()) {
            int bits = bits(slot);
            Check.that((next.slices[slot.gpu()] & bits) == 0, "MIG slot %s is in use", slot);
            next.slices[slot.gpu()] |= bits;
        }
        return next;
    }

    PartialGpus release(Grant.Slices grant) {
        PartialGpus next = copy(slices.length);
        for (MigSlot slot : grant.at()) {
            int bits = bits(slot);
            Check.that((next.slices[slot.gpu()] & bits) == bits, "MIG slot %s is not in use", slot);
            next.slices[slot.gpu()] &= ~bits;
        }
        return next;
    }

    PartialGpus take(Grant.Shares grant, Node node) {
        PartialGpus next = copy(node.gpus().size());
        for (long rest = grant.gpus(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            next.milli[gpu] += grant.milli();
            next.memoryMiB[gpu] += grant.memoryMiB();
            Check.that(
                    next.milli[gpu] <= WHOLE
                            && next.memoryMiB[gpu] <= node.gpus().get(gpu).memoryMiB(),
                    "GPU %s of %s is shared out more than once",
                    gpu,
                    node.id());
        }
        return next;
    }

    PartialGpus release(Grant.Shares grant) {
        PartialGpus next = copy(slices.length);
        for (long rest = grant.gpus(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            next.milli[gpu] -= grant.milli();
            next.memoryMiB[gpu] -= grant.memoryMiB();
            Check.that(
                    next.milli[gpu] >= 0 && next.memoryMiB[gpu] >= 0,
                    "more of GPU %s is returned than was taken",
                    gpu);
        }
        return next;
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

    private static int bits(MigSlot slot) {
        return ((1 << slot.size()) - 1) << slot.first();
    }

    private PartialGpus copy(int gpus) {
        int size = Math.max(gpus, slices.length);
        return new PartialGpus(
                Arrays.copyOf(slices, size),
                Arrays.copyOf(milli, size),
                Arrays.copyOf(memoryMiB, size));
    }
}
