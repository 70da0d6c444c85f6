package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.nodes.NodeView;

import java.util.List;

/// The free capacity of a node, in thousandths of each GPU and of cores: a copy to try grants on.
final class RemainingCapacity {
    final List<Gpu> gpus;
    final int[] milli;
    long milliCpu;
    int total;

    private RemainingCapacity(List<Gpu> gpus, int[] milli, long milliCpu, int total) {
        this.gpus = gpus;
        this.milli = milli;
        this.milliCpu = milliCpu;
        this.total = total;
    }

    static RemainingCapacity of(NodeView node) {
        List<Gpu> gpus = node.facts().gpus();
        var milli = new int[gpus.size()];
        int total = 0;
        for (int gpu = 0; gpu < milli.length; gpu++) {
            milli[gpu] = left(node, gpu);
            total += milli[gpu];
        }
        return new RemainingCapacity(gpus, milli, node.freeMilliCpu(), total);
    }

    /// For a GPU with slices, the sum of its free slices.
    private static int left(NodeView node, int gpu) {
        return (node.slicedGpus() >>> gpu & 1) == 0
                ? node.leftMilli(gpu)
                : 1000 - Math.min(1000, Integer.bitCount(node.takenSlices(gpu) & 0xFF) * 125);
    }

    void take(Grant grant, long cpu) {
        change(grant, cpu, 1);
    }

    void giveBack(Grant grant, long cpu) {
        change(grant, cpu, -1);
    }

    private void change(Grant grant, long cpu, int sign) {
        milliCpu -= sign * cpu;
        switch (grant) {
            case Grant.None none -> {}
            case Grant.Counted counted -> {}
            case Grant.Whole whole -> change(whole.gpus(), sign * 1000);
            case Grant.Shares shares -> change(shares.gpus(), sign * shares.milli());
            case Grant.Slices slices -> {
                for (MigSlot slot : slices.at()) {
                    change(1L << slot.gpu(), sign * 125 * slot.size());
                }
            }
        }
    }

    private void change(long mask, int less) {
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            milli[Long.numberOfTrailingZeros(rest)] -= less;
            total -= less;
        }
    }
}
