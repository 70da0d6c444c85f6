package io.gpusched.lab.fgd;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Shape;
import io.gpusched.core.state.Typical;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.OpenbReader;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One workload on the cluster of the experiment: the machines, the pods, and for each seed the
/// order in which pods arrive and the rank by which ties between machines are broken.
public record Trace(
        List<Machine> machines,
        List<Shape> pods,
        Typical typical,
        Map<Integer, int[]> orders,
        Map<Integer, int[]> ranks) {
    /// A machine with GPUs of one model.
    public record Machine(String name, Resources host, List<Gpu> gpus) {}

    /// Reads the files of `workload`.
    public static Trace read(Tables tables, String workload) {
        List<Machine> machines = machines(tables.file("nodes_gpu.csv"));
        List<Shape> pods = pods(tables.file("pods_" + workload + ".csv"));
        Map<Integer, int[]> orders = rows(tables, "pod_order_" + workload + ".txt", pods.size());
        Map<Integer, int[]> ranks =
                rows(tables, "node_tie_rank_" + workload + ".txt", machines.size());
        return new Trace(machines, pods, typical(pods), orders, ranks);
    }

    /// GPUs of all machines.
    public int gpus() {
        return machines.stream().mapToInt(machine -> machine.gpus().size()).sum();
    }

    private static List<Machine> machines(Path file) {
        return OpenbReader.nodes(file).stream()
                .map(node -> new Machine(node.id().name(), node.host(), node.gpus()))
                .toList();
    }

    /// Equal shapes are one.
    private static List<Shape> pods(Path file) {
        var known = new LinkedHashMap<Shape, Shape>();
        return OpenbReader.podRows(file).stream()
                .map(pod -> known.computeIfAbsent(pod.ask().shape(), same -> same))
                .toList();
    }

    private static Map<Integer, int[]> rows(Tables tables, String name, int size) {
        var rows = new TreeMap<Integer, int[]>();
        for (String line : tables.lines(name)) {
            String[] words = line.strip().split(" ", -1);
            try {
                int[] row = Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
                if (Arrays.stream(row).anyMatch(at -> at < 0 || at >= size)) {
                    throw new BadTrace("%s: a number is not under %s".formatted(name, size));
                }
                rows.put(Integer.valueOf(words[0]), row);
            } catch (NumberFormatException e) {
                throw new BadTrace("%s: expected numbers: %s".formatted(name, e.getMessage()));
            }
        }
        return rows;
    }

    private static Typical typical(List<Shape> pods) {
        var counts = new LinkedHashMap<Typical.Need, Long>();
        pods.forEach(pod -> counts.merge(Typical.Need.of(pod), 1L, Long::sum));
        return Typical.of(counts, 1);
    }
}
