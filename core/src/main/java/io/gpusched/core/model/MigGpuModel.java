package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// A kind of GPU that supports MIG slices: its profiles and where each may lie.
///
/// Memory is divided into eight slices (an A30's into four), and a profile covers a run of them
/// from one of its starts. All large cards share one geometry and differ in names and amounts:
///
///     slice        0   1   2   3   4   5   6   7
///     1g           x   x   x   x   x   x   x          one each, 7 in all
///     1g, double   x———x   x———x   x———x   x———x
///     2g           x———x   x———x   x———x
///     3g           x———————————x   x———————————x
///     4g           x———————————x
///     7g           x———————————————————————————x
///
/// Slices that do not overlap never need more compute than there is, nor more instances of a
/// profile than are allowed; the media extension is a slice of its own (see [MigProfile#MEDIA]). So
/// the set of covered slices alone decides what still fits on a card.
public final class MigGpuModel {
    private static final int LARGE = 8;

    private static final List<MigGpuModel> ALL =
            List.of(
                    large("A100", 40, 14, new int[] {5, 10, 20, 40}, 4864, 9856, 19968, 40192),
                    large("A100", 80, 14, new int[] {10, 20, 40, 80}, 9856, 19968, 40192, 80384),
                    large("H100", 80, 16, new int[] {10, 20, 40, 80}, 10240, 20480, 40960, 81920),
                    large(
                            "H200",
                            141,
                            16,
                            new int[] {18, 35, 71, 141},
                            18432,
                            35840,
                            72704,
                            144384),
                    large(
                            "B200",
                            180,
                            18,
                            new int[] {23, 45, 90, 180},
                            23552,
                            46080,
                            92160,
                            184320),
                    a30());

    private final String family;
    private final int memoryMiB;
    private final List<MigProfile> profiles;
    private final int[] open;

    private MigGpuModel(String family, int memoryGiB, List<MigProfile> profiles) {
        this.family = family;
        this.memoryMiB = memoryGiB * 1024;
        this.profiles = List.copyOf(profiles);
        this.open = new int[1 << LARGE];
        for (int taken = 0; taken < open.length; taken++) {
            for (MigProfile profile : profiles) {
                for (int at = 0; at < LARGE && !profile.media(); at++) {
                    boolean fits =
                            (profile.starts() >>> at & 1) == 1 && (profile.bits(at) & taken) == 0;
                    open[taken] += fits ? 1 : 0;
                }
            }
        }
    }

    private static MigGpuModel large(String family, int memoryGiB, int sms, int[] gb, int... mib) {
        var all = new ArrayList<MigProfile>();
        String small = "1g." + gb[0] + "gb";
        all.add(new MigProfile(small, 1, 7, 1, 0x7f, 7, sms, mib[0], 19, false));
        all.add(new MigProfile(small + "+me", 1, 7, 1, 0x7f, 1, sms, mib[0], 20, true));
        String two = gb[1] + "gb";
        all.add(new MigProfile("1g." + two, 1, 7, 2, 0x55, 4, sms, mib[1], 15, false));
        all.add(new MigProfile("2g." + two, 2, 7, 2, 0x15, 3, 2 * sms, mib[1], 14, false));
        String half = gb[2] + "gb";
        all.add(new MigProfile("3g." + half, 3, 7, 4, 0x11, 2, 3 * sms, mib[2], 9, false));
        all.add(new MigProfile("4g." + half, 4, 7, 4, 0x01, 1, 4 * sms, mib[2], 5, false));
        String whole = "7g." + gb[3] + "gb";
        all.add(new MigProfile(whole, 7, 7, 8, 0x01, 1, 7 * sms, mib[3], 0, false));
        return new MigGpuModel(family, memoryGiB, all);
    }

    private static MigGpuModel a30() {
        return new MigGpuModel(
                "A30",
                24,
                List.of(
                        new MigProfile("1g.6gb", 1, 4, 1, 0xf, 4, 14, 5836, -1, false),
                        new MigProfile("1g.6gb+me", 1, 4, 1, 0xf, 1, 14, 5836, -1, true),
                        new MigProfile("2g.12gb", 2, 4, 2, 0x5, 2, 28, 11672, -1, false),
                        new MigProfile("2g.12gb+me", 2, 4, 2, 0x5, 1, 28, 11672, -1, true),
                        new MigProfile("4g.24gb", 4, 4, 4, 0x1, 1, 56, 23344, -1, false)));
    }

    public static List<MigGpuModel> all() {
        return ALL;
    }

    /// The model of this GPU; null when it does not support MIG. Drivers report a little less
    /// memory than is sold.
    public static @Nullable MigGpuModel of(Gpu gpu) {
        int memory = gpu.model().memoryMiB() > 0 ? gpu.model().memoryMiB() : gpu.memoryMiB();
        for (MigGpuModel card : ALL) {
            boolean alike = Math.abs(card.memoryMiB - memory) <= card.memoryMiB / 16;
            if (alike && card.family.equals(gpu.model().family())) {
                return card;
            }
        }
        return null;
    }

    /// The profile of that name, of any card; null when no card has it. Cards that share a profile
    /// agree on its fraction of compute.
    public static @Nullable MigProfile anyNamed(String name) {
        for (MigGpuModel card : ALL) {
            MigProfile profile = card.profile(name);
            if (profile != null) {
                return profile;
            }
        }
        return null;
    }

    /// The names of the profiles of all cards, each once.
    public static List<String> profileNames() {
        return ALL.stream()
                .flatMap(card -> card.profiles.stream())
                .map(MigProfile::name)
                .distinct()
                .toList();
    }

    public GpuModel model() {
        return new GpuModel(family, memoryMiB);
    }

    public List<MigProfile> profiles() {
        return profiles;
    }

    /// The profile of that name; null when the card has none.
    public @Nullable MigProfile profile(String name) {
        for (MigProfile profile : profiles) {
            if (profile.name().equals(name)) {
                return profile;
            }
        }
        return null;
    }

    /// The number of ways in which one more slice of any profile could be placed beside the `taken`
    /// slices.
    public int ways(int taken) {
        return open[taken & (open.length - 1)];
    }
}
