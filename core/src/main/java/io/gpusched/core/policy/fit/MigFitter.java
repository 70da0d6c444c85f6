package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Places MIG slices at real positions.
///
/// A GPU that already has slices is preferred to a whole one. Among the valid free positions it
/// takes the one after which the most other positions remain, over all profiles of the card: a
/// slice of an empty A100 starts at 6, where it blocks four positions, not at 0, where it blocks
/// six.
///
///     slice     0 1 2 3 4 5 6 7
///     3g.20gb           x x x x   blocks 8 positions; at 0 it would block 11
///     2g.10gb       x x
///     1g.5gb    x x
///
/// On a permanently partitioned GPU, it takes the first free slice of the profile.
final class MigFitter {
    private record Choice(MigSlot slot, boolean fresh, int blocked) {
        boolean betterThan(@Nullable Choice other) {
            return other == null || (fresh != other.fresh ? other.fresh : blocked < other.blocked);
        }
    }

    @Nullable Grant fit(Shape shape, GpuRequest.Slice wanted, NodeView node, long avoid) {
        MigConfig config = MigConfig.of(node.facts().labels());
        if (config.kind() == MigConfig.Kind.OFF || config.kind() == MigConfig.Kind.UNKNOWN) {
            return null;
        }
        List<Gpu> gpus = node.facts().gpus();
        var taken = new int[gpus.size()];
        for (int gpu = 0; gpu < taken.length; gpu++) {
            boolean open = (avoid >>> gpu & 1) == 0 && shape.acceptsModel(gpus.get(gpu).model());
            taken[gpu] = open ? node.takenSlices(gpu) : -1;
        }
        var slots = new ArrayList<MigSlot>(wanted.count());
        for (int count = 0; count < wanted.count(); count++) {
            Choice best = best(wanted.profile(), gpus, taken, config);
            if (best == null) {
                return null;
            }
            slots.add(best.slot);
            taken[best.slot.gpu()] |= best.slot.bits();
        }
        return new Grant.Slices(slots);
    }

    private static @Nullable Choice best(
            String profile, List<Gpu> gpus, int[] taken, MigConfig config) {
        Choice best = null;
        for (Gpu gpu : gpus) {
            MigGpuModel card = taken[gpu.index()] == -1 ? null : MigGpuModel.of(gpu);
            MigProfile kind = card == null ? null : card.profile(profile);
            if (card != null && kind != null) {
                Choice here =
                        config.kind() == MigConfig.Kind.FIXED
                                ? ready(
                                        profile,
                                        gpu.index(),
                                        taken,
                                        config.layout(card, gpu.index()))
                                : cut(kind, card, gpu.index(), taken[gpu.index()]);
                best = here != null && here.betterThan(best) ? here : best;
            }
        }
        return best;
    }

    /// The best position for one more slice on a GPU.
    private static @Nullable Choice cut(MigProfile profile, MigGpuModel card, int gpu, int taken) {
        Choice best = null;
        for (int at = 0; at < 8; at++) {
            int bits = profile.bits(at);
            if ((profile.starts() >>> at & 1) == 1 && (bits & taken) == 0) {
                var slot = new MigSlot(gpu, at, profile.size(), profile.name());
                int blocked = card.ways(taken) - card.ways(taken | bits);
                var choice = new Choice(slot, taken == 0, blocked);
                best = choice.betterThan(best) ? choice : best;
            }
        }
        return best;
    }

    /// An existing slice that is free.
    private static @Nullable Choice ready(
            String profile, int gpu, int[] taken, List<MigSlot> layout) {
        for (MigSlot slot : layout) {
            if (slot.profile().equals(profile) && (slot.bits() & taken[gpu]) == 0) {
                return new Choice(slot, taken[gpu] == 0, 0);
            }
        }
        return null;
    }
}
