package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Interconnect figures of a family of GPUs, from its data sheet.
///
/// Figures count both directions together, as the sheets do: an A100 with its 12 NVLinks of 50 GB/s
/// each reaches 600 GB/s.
///
/// @param nvlinkGBps of one NVLink
/// @param nvlinks of one GPU, 0 for a family without
/// @param pcieGBps of its slot
public record GpuFamily(String name, int nvlinkGBps, int nvlinks, int pcieGBps) {
    private static final GpuFamily[] KNOWN = {
        new GpuFamily("K80", 0, 0, 32),
        new GpuFamily("M60", 0, 0, 32),
        new GpuFamily("P4", 0, 0, 32),
        new GpuFamily("P40", 0, 0, 32),
        new GpuFamily("P100", 40, 4, 32),
        new GpuFamily("V100", 50, 6, 32),
        new GpuFamily("T4", 0, 0, 32),
        new GpuFamily("RTX6000", 50, 2, 32),
        new GpuFamily("RTX8000", 50, 2, 32),
        new GpuFamily("RTX2080TI", 50, 2, 32),
        new GpuFamily("RTX3090", 28, 4, 64),
        new GpuFamily("RTX4090", 0, 0, 64),
        new GpuFamily("RTX5090", 0, 0, 128),
        new GpuFamily("A2", 0, 0, 32),
        new GpuFamily("A10", 0, 0, 64),
        new GpuFamily("A10G", 0, 0, 64),
        new GpuFamily("A16", 0, 0, 64),
        new GpuFamily("A30", 50, 4, 64),
        new GpuFamily("A40", 28, 4, 64),
        new GpuFamily("A100", 50, 12, 64),
        new GpuFamily("A800", 50, 8, 64),
        new GpuFamily("L4", 0, 0, 64),
        new GpuFamily("L20", 0, 0, 64),
        new GpuFamily("L40", 0, 0, 64),
        new GpuFamily("L40S", 0, 0, 64),
        new GpuFamily("H20", 50, 18, 128),
        new GpuFamily("H100", 50, 18, 128),
        new GpuFamily("H200", 50, 18, 128),
        new GpuFamily("H800", 50, 8, 128),
        new GpuFamily("GH200", 50, 18, 128),
        new GpuFamily("B100", 100, 18, 128),
        new GpuFamily("B200", 100, 18, 128),
        new GpuFamily("B300", 100, 18, 256),
        new GpuFamily("GB200", 100, 18, 128),
    };

    /// The family of that name; null when its figures are not here.
    public static @Nullable GpuFamily known(String name) {
        for (GpuFamily family : KNOWN) {
            if (family.name.equals(name)) {
                return family;
            }
        }
        return null;
    }

    /// The family of that name; typical figures for an unknown one.
    public static GpuFamily of(String name) {
        GpuFamily family = known(name);
        return family == null ? new GpuFamily(name, 50, 12, 64) : family;
    }

    public static List<String> names() {
        var names = new ArrayList<String>(KNOWN.length);
        for (GpuFamily family : KNOWN) {
            names.add(family.name);
        }
        return names;
    }

    /// The highest bandwidth between two GPUs of any family.
    public static int mostGBps() {
        int most = 0;
        for (GpuFamily family : KNOWN) {
            most = Math.max(most, family.mostBetweenTwo());
        }
        return most;
    }

    /// The highest bandwidth between two GPUs of this family.
    public int mostBetweenTwo() {
        return Math.max(pcieGBps, nvlinkGBps * nvlinks);
    }

    /// How many NVLinks two of them need for `gbps`; 0 when PCIe suffices.
    public int linksFor(long gbps) {
        if (gbps <= pcieGBps) {
            return 0;
        }
        return nvlinkGBps == 0
                ? Topology.MOST_NVLINKS + 1
                : (int) Math.min(Topology.MOST_NVLINKS + 1L, Math.ceilDiv(gbps, nvlinkGBps));
    }

    /// The bandwidth of two of them with this many NVLinks between them.
    public int gbps(int links) {
        return Math.max(pcieGBps, links * nvlinkGBps);
    }
}
