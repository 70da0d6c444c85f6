package io.gpusched.sim.metrics;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Slot;

import java.util.ArrayList;
import java.util.List;

/// A part of one GPU that a task holds, in thousandths.
record GpuHold(NodeUsage nodeUsage, int rank, int gpu, int milli) {
    private static final int WHOLE = 1000;

    /// Everything that a slot holds. If the node picks the GPUs, the first free ones are assumed.
    static List<GpuHold> of(Slot slot, NodeUsage nodeUsage) {
        var stays = new ArrayList<GpuHold>();
        switch (slot.grant()) {
            case Grant.None none -> {}
            case Grant.Whole whole -> add(stays, slot, nodeUsage, whole.gpus(), WHOLE);
            case Grant.Shares shares -> add(stays, slot, nodeUsage, shares.gpus(), shares.milli());
            case Grant.Slices slices -> {
                for (MigSlot at : slices.at()) {
                    MigProfile profile = MigGpuModel.anyNamed(at.profile());
                    int milli = profile == null ? 0 : profile.milli();
                    add(stays, slot, nodeUsage, 1L << at.gpu(), milli);
                }
            }
            case Grant.Counted counted -> {
                for (int gpu = 0; gpu < nodeUsage.gpus() && stays.size() < counted.count(); gpu++) {
                    if (!nodeUsage.isTouched(gpu)) {
                        stays.add(new GpuHold(nodeUsage, slot.rank(), gpu, WHOLE));
                    }
                }
            }
        }
        return stays;
    }

    private static void add(
            List<GpuHold> stays, Slot slot, NodeUsage nodeUsage, long mask, int milli) {
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (gpu < nodeUsage.gpus()) {
                stays.add(new GpuHold(nodeUsage, slot.rank(), gpu, milli));
            }
        }
    }
}
