package io.gpusched.lab.fgd;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Shape;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.OpenbReader;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One workload on the cluster of the experiment: the machines, the pods, and for each seed the
/// order in which pods arrive and the rank by which ties between machines are broken.
public record FgdTrace(
        List<Machine> machines,
        List<Shape> pods,
        TypicalWorkload typicalWorkload,
        Map<Integer, int[]> orders,
        Map<Integer, int[]> ranks) {
    /// A machine with GPUs of one model.
    public record Machine(String name, Resources host, List<Gpu> gpus) {}

    /// Reads the files of `workload`.
    public static FgdTrace read(FgdFiles fgdFiles, String workload) {
        List<Machine> machines = machines(fgdFiles.file("nodes_gpu.csv"));
        List<Shape> pods = pods(fgdFiles.file("pods_" + workload + ".csv"));
        Path orderFile = fgdFiles.file("pod_order_" + workload + ".txt");
        Path rankFile = fgdFiles.file("node_tie_rank_" + workload + ".txt");
        Map<Integer, int[]> orders = SeedRows.orders(orderFile, pods.size());
        Map<Integer, int[]> ranks = SeedRows.ranks(rankFile, machines.size());
        for (int seed : orders.keySet()) {
            if (!ranks.containsKey(seed)) {
                throw new BadTrace(
                        "%s has no ranks for seed %d, for which %s has an order; add a line of ranks"
                                .formatted(rankFile, seed, orderFile.getFileName()));
            }
        }
        return new FgdTrace(machines, pods, typical(pods), orders, ranks);
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

    /// Interns equal shapes.
    private static List<Shape> pods(Path file) {
        var known = new LinkedHashMap<Shape, Shape>();
        return OpenbReader.podRows(file).stream()
                .map(pod -> known.computeIfAbsent(pod.ask().shape(), same -> same))
                .toList();
    }

    private static TypicalWorkload typical(List<Shape> pods) {
        var counts = new LinkedHashMap<TypicalWorkload.Need, Long>();
        pods.forEach(pod -> counts.merge(TypicalWorkload.Need.of(pod), 1L, Long::sum));
        return TypicalWorkload.of(counts, 1);
    }
}
