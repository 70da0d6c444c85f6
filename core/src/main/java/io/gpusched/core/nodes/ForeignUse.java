package io.gpusched.core.nodes;

import io.gpusched.core.model.Digest;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.SliceCount;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What other systems use of a node, summed. Immutable; most nodes share [#NONE].
///
/// A system that only counts devices (a Kubernetes device plug-in) does not say which ones are in
/// use. Then the ledger assumes the first that are free: the number is right, and which devices a
/// task gets is decided by that system anyway.
///
///     8 GPUs, ours on 0 and 1, 3 foreign ones counted   →   2, 3 and 4 are assumed in use
///
/// Other systems may use more than is free, for example because they were faster. Then nothing is
/// free, and no more is assumed in use than there is.
final class ForeignUse {
    static final ForeignUse NONE = new ForeignUse(List.of());

    final List<ForeignTask> tasks;

    /// GPUs whose numbers are known, one bit each.
    final long gpus;

    /// Whole GPUs that are only counted.
    final int counted;

    final long milliCpu;
    final long memoryMiB;

    private final List<SliceCount> slices;

    ForeignUse(List<ForeignTask> tasks) {
        this.tasks = List.copyOf(tasks);
        long known = 0;
        int number = 0;
        long cpu = 0;
        long memory = 0;
        var counts = new ArrayList<SliceCount>();
        for (ForeignTask one : tasks) {
            known |= one.slot().grant().mask();
            number += one.slot().grant() instanceof Grant.Counted some ? some.count() : 0;
            cpu += one.slot().host().milliCpu();
            memory += one.slot().host().memoryMiB();
            counts.addAll(one.slices());
        }
        this.gpus = known;
        this.counted = number;
        this.milliCpu = cpu;
        this.memoryMiB = memory;
        this.slices = List.copyOf(counts);
    }

    /// These whole GPUs without the first that other systems use by number.
    static long without(int counted, long whole) {
        long left = whole;
        for (int i = 0; i < counted && left != 0; i++) {
            left &= left - 1;
        }
        return left;
    }

    /// The slices of each GPU that are assumed to be in use, one bit each; empty where none is.
    ///
    /// @param taken of each GPU, the slices that our tasks have; -1 where it is used otherwise
    int[] assumed(Node node, int[] taken) {
        if (slices.isEmpty()) {
            return new int[0];
        }
        MigConfig config = MigConfig.of(node.labels());
        var assumed = new int[taken.length];
        for (SliceCount some : slices) {
            int left = some.count();
            for (int gpu = 0; gpu < taken.length && left > 0; gpu++) {
                MigGpuModel card = taken[gpu] == -1 ? null : MigGpuModel.of(node.gpus().get(gpu));
                for (MigSlot slot : slots(config, card, gpu, some.profile())) {
                    if (left > 0 && (slot.bits() & (taken[gpu] | assumed[gpu])) == 0) {
                        assumed[gpu] |= slot.bits();
                        left--;
                    }
                }
            }
        }
        return assumed;
    }

    /// Where slices of the profile are, or could be.
    private static List<MigSlot> slots(
            MigConfig config, @Nullable MigGpuModel card, int gpu, String name) {
        MigProfile profile = card == null ? null : card.profile(name);
        if (card == null || profile == null) {
            return List.of();
        }
        if (config.kind() == MigConfig.Kind.FIXED) {
            var fixed = new ArrayList<>(config.layout(card, gpu));
            fixed.removeIf(slot -> !slot.profile().equals(name));
            return fixed;
        }
        var possible = new ArrayList<MigSlot>();
        for (int at = 0; at < 8; at++) {
            if (config.kind() == MigConfig.Kind.DYNAMIC && (profile.starts() >>> at & 1) == 1) {
                possible.add(new MigSlot(gpu, at, profile.size(), name));
            }
        }
        return possible;
    }

    /// Zero where nothing is used.
    long digest() {
        long hash = tasks.isEmpty() ? 0 : Digest.mix(gpus, tasks.size());
        if (!tasks.isEmpty()) {
            hash = Digest.mix(Digest.mix(Digest.mix(hash, counted), milliCpu), memoryMiB);
            for (SliceCount some : slices) {
                hash = Digest.mix(Digest.mix(hash, Digest.of(some.profile())), some.count());
            }
        }
        return hash;
    }
}
