package io.gpusched.operator.cluster;

import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds out which cards a node's MIG slices can come from. A node only tells how many slices of
/// each profile it has:
///
///     1g.5gb 7, 2g.10gb 3   →   card 0: seven 1g.5gb · card 1: three 2g.10gb
///
/// The most constrained slices are placed first, each on the first card that holds it, and there
/// at the place that leaves the most ways to go on. Real cards are found again by this, or others
/// that offer the same slices, which is all that the scheduler needs.
final class MigPacking {
    private final MigGpuModel card;
    private final List<Integer> taken = new ArrayList<>();
    private final List<Map<String, Integer>> layouts = new ArrayList<>();

    private MigPacking(MigGpuModel card) {
        this.card = card;
    }

    /// One text for each card, `profile:count[,profile:count]`, as the scheduler reads it.
    ///
    /// @param slices how many slices of each profile; profiles that the card does not have are left
    ///        out
    /// @param most cards that a node may have
    static List<String> layouts(MigGpuModel card, Map<String, Integer> slices, int most) {
        var packing = new MigPacking(card);
        for (MigProfile profile : card.profiles().reversed()) {
            int count = slices.getOrDefault(profile.name(), 0);
            for (int placed = 0; placed < count; placed++) {
                if (!packing.place(profile, most)) {
                    break;
                }
            }
        }
        return packing.layouts.stream().map(MigPacking::text).toList();
    }

    private boolean place(MigProfile profile, int most) {
        for (int at = 0; at < taken.size(); at++) {
            int start = bestStart(profile, taken.get(at));
            if (start >= 0) {
                put(profile, at, start);
                return true;
            }
        }
        if (taken.size() >= most) {
            return false;
        }
        taken.add(0);
        layouts.add(new LinkedHashMap<>());
        put(profile, taken.size() - 1, bestStart(profile, 0));
        return true;
    }

    private void put(MigProfile profile, int at, int start) {
        taken.set(at, taken.get(at) | profile.bits(start));
        layouts.get(at).merge(profile.name(), 1, Integer::sum);
    }

    /// Where the profile leaves the most ways to place more slices; -1 if it does not fit.
    private int bestStart(MigProfile profile, int used) {
        int best = -1;
        int most = -1;
        for (int start = 0; start < Integer.SIZE; start++) {
            boolean allowed = (profile.starts() >>> start & 1) == 1;
            if (allowed && (profile.bits(start) & used) == 0) {
                int ways = card.ways(used | profile.bits(start));
                if (ways > most) {
                    most = ways;
                    best = start;
                }
            }
        }
        return best;
    }

    private static String text(Map<String, Integer> layout) {
        var parts = new ArrayList<String>();
        layout.forEach((profile, count) -> parts.add(profile + ":" + count));
        return String.join(",", parts);
    }
}
