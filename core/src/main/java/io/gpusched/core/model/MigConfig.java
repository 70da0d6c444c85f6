package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How a node partitions its GPUs, from its label `neuronetes.io/mig-config`.
///
///     none, all-disabled            no slices: GPUs are given whole or as shares
///     all-enabled, mixed, dynamic   slices are created on request; an unused GPU stays whole
///     all-1g.5gb, all-3g.40gb, …    each GPU that has the profile is partitioned into as many as
///                                   it holds, permanently: it offers only these slices
///     all-balanced                  the same with the usual mix: two 1g, one 2g, one 3g (an A30:
///                                   two 1g, one 2g)
///     none|1g.5gb:7|2g.10gb:3       one part for each GPU, in their order: a whole GPU, or the
///                                   slices into which it is partitioned permanently, several
///                                   kinds with commas; a GPU without a part is whole
///
/// Partitioning is off unless a node's label enables it: switching a GPU to MIG stops what runs on
/// it, and only the operator of the machine knows whether that is acceptable. An unknown value
/// counts as off, and the agent warns about it.
public record MigConfig(Kind kind, String value) {
    public static final String LABEL = "neuronetes.io/mig-config";

    public enum Kind {
        OFF,
        /// Partitioned on request.
        DYNAMIC,
        /// Partitioned permanently.
        FIXED,
        /// The value is unknown.
        UNKNOWN
    }

    private static final List<String> OFF = List.of("all-disabled", "disabled", "none");
    private static final List<String> DYNAMIC =
            List.of("all-enabled", "enabled", "mixed", "dynamic");
    private static final String ALL = "all-";
    private static final String BALANCED = "balanced";

    public static MigConfig of(Labels labels) {
        return labels.isEmpty() ? parse("") : parse(labels.value(LABEL));
    }

    public static MigConfig parse(String text) {
        String value = text.strip().toLowerCase(Locale.ROOT);
        Kind kind = MigLayouts.isPerGpu(value) ? perGpuKind(value) : layoutKind(value);
        if (value.isEmpty() || OFF.contains(value)) {
            kind = Kind.OFF;
        } else if (DYNAMIC.contains(value)) {
            kind = Kind.DYNAMIC;
        }
        return new MigConfig(kind, value);
    }

    private static Kind perGpuKind(String value) {
        return MigLayouts.isKnown(value) ? Kind.FIXED : Kind.UNKNOWN;
    }

    private static Kind layoutKind(String value) {
        boolean known =
                value.startsWith(ALL)
                        && (value.equals(ALL + BALANCED)
                                || MigGpuModel.anyNamed(profileName(value)) != null);
        return known ? Kind.FIXED : Kind.UNKNOWN;
    }

    /// Some operators write `.me` for `+me`, because a label may not contain a plus.
    private static String profileName(String value) {
        return value.substring(ALL.length()).replaceFirst("\\.me$", "+me");
    }

    /// The slices into which a GPU of this kind is permanently partitioned; empty when it is not.
    public List<MigSlot> layout(MigGpuModel card, int gpu) {
        if (kind != Kind.FIXED) {
            return List.of();
        }
        if (MigLayouts.isPerGpu(value)) {
            return MigLayouts.of(value, card, gpu);
        }
        var slots = new ArrayList<MigSlot>();
        if (value.equals(ALL + BALANCED)) {
            balanced(card, gpu, slots);
            return slots;
        }
        MigProfile profile = card.profile(profileName(value));
        int taken = 0;
        for (int at = 0; profile != null && at < 8 && slots.size() < profile.most(); at++) {
            if ((profile.starts() >>> at & 1) == 1 && (profile.bits(at) & taken) == 0) {
                taken |= profile.bits(at);
                slots.add(new MigSlot(gpu, at, profile.size(), profile.name()));
            }
        }
        return slots;
    }

    private static void balanced(MigGpuModel card, int gpu, List<MigSlot> slots) {
        MigProfile one = card.profiles().getFirst();
        MigProfile two = ofCompute(card, 2);
        slots.add(new MigSlot(gpu, 0, two.size(), two.name()));
        slots.add(new MigSlot(gpu, 2, one.size(), one.name()));
        slots.add(new MigSlot(gpu, 3, one.size(), one.name()));
        if (one.of() > 4) {
            MigProfile three = ofCompute(card, 3);
            slots.add(new MigSlot(gpu, 4, three.size(), three.name()));
        }
    }

    private static MigProfile ofCompute(MigGpuModel card, int compute) {
        return card.profiles().stream()
                .filter(profile -> profile.compute() == compute && !profile.media())
                .findFirst()
                .orElseThrow();
    }

    /// GPUs of the node that are permanently partitioned, one bit each: they are never given whole
    /// or as shares.
    public static long cutForGood(Node node) {
        MigConfig config = of(node.labels());
        long mask = 0;
        if (config.kind == Kind.FIXED) {
            for (Gpu gpu : node.gpus()) {
                MigGpuModel card = MigGpuModel.of(gpu);
                boolean cut = card != null && !config.layout(card, gpu.index()).isEmpty();
                mask |= cut ? 1L << gpu.index() : 0;
            }
        }
        return mask;
    }
}
