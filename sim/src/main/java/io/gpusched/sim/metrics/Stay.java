package io.gpusched.sim.metrics;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigCard;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Slot;

import java.util.ArrayList;
import java.util.List;

/// A part of one GPU that a task holds, in thousandths.
record Stay(Place place, int rank, int gpu, int milli) {
    private static final int WHOLE = 1000;

    /// All that a slot holds. Where somebody else picks the GPUs, the first untouched ones.
    static List<Stay> of(Slot slot, Place place) {
        var stays = new ArrayList<Stay>();
        switch (slot.grant()) {
            case Grant.None none -> {}
            case Grant.Whole whole -> add(stays, slot, place, whole.gpus(), WHOLE);
            case Grant.Shares shares -> add(stays, slot, place, shares.gpus(), shares.milli());
            case Grant.Slices slices -> {
                for (MigSlot at : slices.at()) {
                    MigProfile profile = MigCard.anyNamed(at.profile());
                    int milli = profile == null ? 0 : profile.milli();
                    add(stays, slot, place, 1L << at.gpu(), milli);
                }
            }
            case Grant.Counted counted -> {
                for (int gpu = 0; gpu < place.gpus() && stays.size() < counted.count(); gpu++) {
                    if (!place.isTouched(gpu)) {
                        stays.add(new Stay(place, slot.rank(), gpu, WHOLE));
                    }
                }
            }
        }
        return stays;
    }

    private static void add(List<Stay> stays, Slot slot, Place place, long mask, int milli) {
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (gpu < place.gpus()) {
                stays.add(new Stay(place, slot.rank(), gpu, milli));
            }
        }
    }
}
