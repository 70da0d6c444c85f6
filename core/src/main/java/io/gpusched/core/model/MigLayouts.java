package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Reads a partitioning that says for each GPU of a node which slices it has.
///
///     none|1g.5gb:7|2g.10gb:1,3g.20gb:1     GPU 0 is whole, 1 has seven slices, 2 has two kinds
///
/// The text says how many slices there are, not where they lie. They are put where they are valid,
/// the largest first: the places only serve to count, because the driver made the slices.
final class MigLayouts {
    private static final String NONE = "none";

    private record Part(MigProfile profile, int count) {}

    private MigLayouts() {}

    /// Whether the text is of this form, well written or not.
    static boolean isPerGpu(String value) {
        return value.indexOf('|') >= 0 || value.indexOf(':') >= 0;
    }

    /// Whether every part names profiles that some card has.
    static boolean isKnown(String value) {
        String[] parts = value.split("\\|", -1);
        boolean known = parts.length <= Gpu.MOST_PER_NODE;
        for (String part : parts) {
            for (String item : part.equals(NONE) ? new String[0] : part.split(",", -1)) {
                int colon = item.indexOf(':');
                known &=
                        colon > 0
                                && item.substring(colon + 1).matches("[1-8]")
                                && MigGpuModel.anyNamed(name(item, colon)) != null;
            }
        }
        return known;
    }

    /// The slices of a GPU; empty if it is whole. Slices that the card does not have, or that do
    /// not fit beside the others, are left out.
    static List<MigSlot> of(String value, MigGpuModel card, int gpu) {
        var slots = new ArrayList<MigSlot>();
        int taken = 0;
        for (Part part : parts(value, card, gpu)) {
            for (int count = 0; count < part.count; count++) {
                int at = start(part.profile, taken);
                if (at >= 0) {
                    taken |= part.profile.bits(at);
                    slots.add(new MigSlot(gpu, at, part.profile.size(), part.profile.name()));
                }
            }
        }
        return slots;
    }

    private static List<Part> parts(String value, MigGpuModel card, int gpu) {
        String[] all = value.split("\\|", -1);
        var parts = new ArrayList<Part>();
        for (String item : gpu < all.length ? all[gpu].split(",", -1) : new String[0]) {
            int colon = item.indexOf(':');
            MigProfile profile = colon < 0 ? null : card.profile(name(item, colon));
            if (profile != null) {
                parts.add(new Part(profile, Integer.parseInt(item.substring(colon + 1))));
            }
        }
        parts.sort(Comparator.comparingInt((Part part) -> part.profile.size()).reversed());
        return parts;
    }

    /// The last valid position that is free: a slice of half a card leaves the first half to
    /// smaller ones, of which fewer fit into the last. -1 where there is none.
    private static int start(MigProfile profile, int taken) {
        for (int at = 7; at >= 0; at--) {
            if ((profile.starts() >>> at & 1) == 1 && (profile.bits(at) & taken) == 0) {
                return at;
            }
        }
        return -1;
    }

    private static String name(String item, int colon) {
        return item.substring(0, colon).replaceFirst("\\.me$", "+me");
    }
}
