package io.gpusched.lab.fgd;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Shape;
import io.gpusched.core.state.Typical;

import java.util.ArrayList;
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
        List<Machine> machines = machines(tables.lines("nodes_gpu.csv"));
        String file = "pods_" + workload + ".csv";
        List<Shape> pods = pods(tables.lines(file), file);
        Map<Integer, int[]> orders = rows(tables, "pod_order_" + workload + ".txt", pods.size());
        Map<Integer, int[]> ranks =
                rows(tables, "node_tie_rank_" + workload + ".txt", machines.size());
        return new Trace(machines, pods, typical(pods), orders, ranks);
    }

    /// GPUs of all machines.
    public int gpus() {
        return machines.stream().mapToInt(machine -> machine.gpus().size()).sum();
    }

    private static List<Machine> machines(List<String> lines) {
        var machines = new ArrayList<Machine>();
        var models = new LinkedHashMap<String, GpuModel>();
        for (int row = 1; row < lines.size(); row++) {
            String[] cell = lines.get(row).split(",", -1);
            try {
                GpuModel model =
                        models.computeIfAbsent(cell[4].strip(), name -> new GpuModel(name, 0));
                var gpus = new ArrayList<Gpu>();
                for (int i = 0; i < Integer.parseInt(cell[3]); i++) {
                    gpus.add(new Gpu(i, model, 0, ""));
                }
                machines.add(new Machine(cell[0], host(cell), gpus));
            } catch (RuntimeException e) {
                throw bad("nodes_gpu.csv", row, lines.get(row), e);
            }
        }
        return machines;
    }

    private static List<Shape> pods(List<String> lines, String file) {
        var pods = new ArrayList<Shape>();
        var known = new LinkedHashMap<Shape, Shape>();
        for (int row = 1; row < lines.size(); row++) {
            String[] cell = lines.get(row).split(",", -1);
            try {
                int gpus = Integer.parseInt(cell[3]);
                int milli = gpus == 0 ? 0 : Integer.parseInt(cell[4]);
                List<GpuModel> models = cell.length > 5 ? models(cell[5]) : List.of();
                GpuRequest wanted =
                        milli == 0 || milli == 1000
                                ? GpuRequest.whole(gpus, 0)
                                : new GpuRequest.Share(milli, 0, gpus);
                var shape = new Shape(wanted, host(cell), models, Labels.NONE, List.of());
                pods.add(known.computeIfAbsent(shape, same -> same));
            } catch (RuntimeException e) {
                throw bad(file, row, lines.get(row), e);
            }
        }
        return pods;
    }

    private static Resources host(String[] cell) {
        return new Resources(Long.parseLong(cell[1]), Long.parseLong(cell[2]));
    }

    private static List<GpuModel> models(String spec) {
        return spec.isBlank()
                ? List.of()
                : Arrays.stream(spec.strip().split("\\|", -1))
                        .map(name -> new GpuModel(name, 0))
                        .toList();
    }

    private static BadTrace bad(String file, int row, String line, RuntimeException e) {
        return new BadTrace(
                "%s, line %s: cannot be read (%s): %s"
                        .formatted(file, row + 1, e.getMessage(), line));
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
