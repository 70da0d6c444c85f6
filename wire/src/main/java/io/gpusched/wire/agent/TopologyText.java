package io.gpusched.wire.agent;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Link;
import io.gpusched.core.model.Topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/// Parses the output of `nvidia-smi topo -m`.
///
///             GPU0  GPU1  NIC0  CPU Affinity  NUMA Affinity
///     GPU0     X    NV12  PXB   0-15          0
///     GPU1    NV12   X    SYS   16-31         1
///
/// Only GPUs are read: columns and rows of network cards and the legend are skipped. Missing rows
/// are completed from the other side of the matrix. The socket is the NUMA affinity or, if that is
/// not printed, the CPU affinity: GPUs near the same CPUs share a socket.
public final class TopologyText {
    private static final Pattern GPU = Pattern.compile("GPU[0-9]+");
    private static final Pattern NVLINKS = Pattern.compile("NV([0-9]{1,2})");
    private static final Pattern ESCAPES = Pattern.compile("\\x1b\\[[0-9;]*m");
    private static final Pattern GAP = Pattern.compile("\\s+");
    private static final Pattern COLUMNS = Pattern.compile("\\s{2,}|\\t");

    private final int size;
    private final List<List<Integer>> nvlinks = new ArrayList<>();
    private final List<List<Link>> links = new ArrayList<>();
    private final String[] cpus;
    private final List<Integer> numa;
    private final boolean numaColumn;
    private final int columns;

    private TopologyText(int size, int columns, boolean numaColumn) {
        this.size = size;
        this.columns = columns;
        this.numaColumn = numaColumn;
        this.cpus = new String[size];
        Arrays.fill(cpus, "");
        this.numa = new ArrayList<>(Collections.nCopies(size, Topology.UNKNOWN_SOCKET));
        for (int row = 0; row < size; row++) {
            nvlinks.add(new ArrayList<>(Collections.nCopies(size, 0)));
            links.add(new ArrayList<>(Collections.nCopies(size, Link.UNKNOWN)));
        }
    }

    /// @throws IllegalArgumentException with the line and what to do about it
    public static Topology parse(String text) {
        TopologyText reading = null;
        boolean any = false;
        String[] lines = ESCAPES.matcher(text).replaceAll("").split("\\R", -1);
        for (int number = 1; number <= lines.length; number++) {
            String line = lines[number - 1].strip();
            if (line.startsWith("#") || line.isEmpty()) {
                continue;
            }
            if (line.startsWith("Legend")) {
                break;
            }
            String[] cells = GAP.split(line);
            if (!GPU.matcher(cells[0]).matches()) {
                continue;
            }
            if (reading == null) {
                reading = header(line, cells, number);
            } else {
                reading.row(cells, line, number);
                any = true;
            }
        }
        if (reading == null || !any) {
            throw new IllegalArgumentException(
                    "expected the matrix that `nvidia-smi topo -m` prints, found no line with GPU"
                            + " rows; write its whole output into the file");
        }
        return Topology.of(reading.sockets(), reading.nvlinks, reading.links);
    }

    private static TopologyText header(String line, String[] cells, int number) {
        int gpus = 0;
        while (gpus < cells.length && GPU.matcher(cells[gpus]).matches()) {
            if (!cells[gpus].equals("GPU" + gpus)) {
                throw invalid(number, "column GPU" + gpus, cells[gpus]);
            }
            gpus++;
        }
        if (gpus > Gpu.MOST_PER_NODE) {
            throw invalid(number, "at most " + Gpu.MOST_PER_NODE + " GPUs", gpus + "");
        }
        int columns = 0;
        for (String title : COLUMNS.split(line)) {
            if (title.contains("Affinity") || title.contains("NUMA")) {
                break;
            }
            columns += GAP.split(title.strip()).length;
        }
        return new TopologyText(gpus, columns, line.contains("NUMA Affinity"));
    }

    private void row(String[] cells, String line, int number) {
        int gpu = Integer.parseInt(cells[0].substring(3));
        if (gpu >= size) {
            throw invalid(number, "a row of GPU0 to GPU" + (size - 1), cells[0]);
        }
        if (cells.length <= size) {
            throw invalid(
                    number, size + " links of " + cells[0], cells.length - 1 + ", line " + line);
        }
        for (int other = 0; other < size; other++) {
            cell(gpu, other, cells[other + 1], number);
        }
        int at = 1 + columns;
        if (at < cells.length) {
            cpus[gpu] = cells[at];
        }
        if (numaColumn && at + 1 < cells.length && cells[at + 1].matches("[0-9]{1,4}")) {
            numa.set(gpu, Integer.parseInt(cells[at + 1]));
        }
    }

    private void cell(int gpu, int other, String cell, int number) {
        if (gpu == other) {
            if (!cell.equals("X")) {
                throw invalid(number, "X where GPU" + gpu + " meets itself", cell);
            }
            return;
        }
        var counted = NVLINKS.matcher(cell);
        int count = 0;
        Link link = Link.UNKNOWN;
        if (counted.matches()) {
            count = Math.min(Topology.MOST_NVLINKS, Integer.parseInt(counted.group(1)));
        } else {
            link =
                    switch (cell) {
                        case "PIX" -> Link.PIX;
                        case "PXB" -> Link.PXB;
                        case "PHB" -> Link.PHB;
                        case "NODE" -> Link.NODE;
                        case "SYS", "SOC" -> Link.SYS;
                        case "PSB" -> Link.BOARD;
                        case "N/A" -> Link.UNKNOWN;
                        default ->
                                throw invalid(
                                        number, "NV1, NV2, …, PIX, PXB, PHB, NODE or SYS", cell);
                    };
        }
        int reverse = nvlinks.get(other).get(gpu);
        Link reverseLink = links.get(other).get(gpu);
        boolean silent = reverse == 0 && reverseLink == Link.UNKNOWN;
        if (gpu > other && !silent && (reverse != count || reverseLink != link)) {
            throw invalid(
                    number,
                    "the same link from GPU" + gpu + " to GPU" + other + " as the other way round",
                    cell);
        }
        nvlinks.get(gpu).set(other, count);
        nvlinks.get(other).set(gpu, count);
        links.get(gpu).set(other, link);
        links.get(other).set(gpu, link);
    }

    private List<Integer> sockets() {
        boolean known = numa.stream().anyMatch(at -> at >= 0);
        if (known) {
            return numa;
        }
        var seen = new ArrayList<String>();
        var sockets = new ArrayList<Integer>();
        for (String list : cpus) {
            if (!list.isEmpty() && !seen.contains(list)) {
                seen.add(list);
            }
            sockets.add(list.isEmpty() ? Topology.UNKNOWN_SOCKET : seen.indexOf(list));
        }
        return seen.isEmpty() ? List.of() : sockets;
    }

    private static IllegalArgumentException invalid(int line, String expected, String found) {
        return new IllegalArgumentException(
                "line "
                        + line
                        + ": expected "
                        + expected
                        + ", found "
                        + found
                        + "; write the output of `nvidia-smi topo -m` unchanged");
    }
}
