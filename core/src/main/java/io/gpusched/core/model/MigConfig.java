package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a node's label `neuronetes.io/mig-config` says about cutting its GPUs.
///
///     none, all-disabled            no slices: GPUs are given whole or as shares
///     all-enabled, mixed, dynamic   slices are cut as they are asked for; an uncut GPU stays whole
///     all-1g.5gb, all-3g.40gb, …    each GPU that knows the profile is cut into as many as it
///                                   holds, for good: it offers these slices and nothing else
///     all-balanced                  the same with the usual mix: two 1g, one 2g, one 3g (an A30:
///                                   two 1g, one 2g)
///
/// Cutting is off unless a node says so, because switching a GPU to MIG stops what runs on it and
/// only who runs the machine knows whether that is welcome. A value that is none of these counts as
/// off, and whoever introduces the node is told.
public record MigConfig(Kind kind, String value) {
    public static final String LABEL = "neuronetes.io/mig-config";

    public enum Kind {
        OFF,
        /// Cut as asked for.
        DYNAMIC,
        /// Cut beforehand.
        FIXED,
        /// Not understood.
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
        Kind kind = layoutKind(value);
        if (value.isEmpty() || OFF.contains(value)) {
            kind = Kind.OFF;
        } else if (DYNAMIC.contains(value)) {
            kind = Kind.DYNAMIC;
        }
        return new MigConfig(kind, value);
    }

    private static Kind layoutKind(String value) {
        boolean known =
                value.startsWith(ALL)
                        && (value.equals(ALL + BALANCED)
                                || MigGpuModel.anyNamed(profileName(value)) != null);
        return known ? Kind.FIXED : Kind.UNKNOWN;
    }

    /// Some write `.me` for `+me`, because a label may not hold a plus.
    private static String profileName(String value) {
        return value.substring(ALL.length()).replaceFirst("\\.me$", "+me");
    }

    /// The slices a GPU of this kind is cut into for good; empty when it is not.
    public List<MigSlot> layout(MigGpuModel card, int gpu) {
        if (kind != Kind.FIXED) {
            return List.of();
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

    /// GPUs of the node that are cut for good, one bit each: nobody gets them whole or shared.
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
