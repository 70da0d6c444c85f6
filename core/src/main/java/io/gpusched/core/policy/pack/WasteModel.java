package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuModel;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.state.TypicalWorkload.Need;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How much of a node is expected to stay unused if tasks of the typical workload keep arriving, in
/// thousandths of a GPU. It has two parts.
///
/// *Slivers*: what remains of a single GPU when the next task no longer fits on it. If a GPU has
/// `r` left and tasks arrive at random, the sliver is the mean over the tasks that fit of the
/// sliver after each of them; with a small weight the filling stops here and all of `r` is wasted.
///
/// *Strandings*: what remains of the GPUs because the cores ran out first. The same recursion, over
/// the remaining cores and GPUs together.
///
/// Both are computed once for a workload, for each GPU model from the tasks that accept it, and
/// then read from tables.
final class WasteModel {
    private static final double STOPS_ON_GPU = 0.02;
    private static final double STOPS_ON_NODE = 0.002;

    /// Grid of the table of strandings.
    private static final int MILLI_CPU = 500;

    private static final int CPU_STEPS = 257;
    private static final int MILLI_GPU = 20;
    private static final int GPU_STEPS = 400;
    private static final int ROW = GPU_STEPS + 1;

    private record Task(long milliCpu, int gpus, int milli) {}

    private static final Comparator<Task> SMALL_FIRST =
            Comparator.comparingLong(Task::milliCpu)
                    .thenComparingInt(Task::gpus)
                    .thenComparingInt(Task::milli);

    /// The tables for one GPU model.
    private static final class Tables {
        final double[] slivers = new double[1001];
        final double[] strandings = new double[(CPU_STEPS + 1) * ROW];
    }

    private final TypicalWorkload typicalWorkload;
    private final Map<GpuModel, Tables> byModel = new LinkedHashMap<>();
    private final Map<Map<Task, Double>, Tables> byTasks = new LinkedHashMap<>();

    WasteModel(TypicalWorkload typicalWorkload) {
        this.typicalWorkload = typicalWorkload;
    }

    TypicalWorkload typicalWorkload() {
        return typicalWorkload;
    }

    /// The expected waste of the remaining capacity.
    double of(RemainingCapacity remainingCapacity) {
        if (remainingCapacity.milli.length == 0) {
            return 0;
        }
        Tables tables = tables(remainingCapacity.gpus.getFirst().model());
        double slivers = 0;
        for (int milli : remainingCapacity.milli) {
            slivers += tables.slivers[milli];
        }
        double gpu = Math.max(0.0, (remainingCapacity.total - slivers) / MILLI_GPU);
        return slivers
                + between(tables.strandings, remainingCapacity.milliCpu / (double) MILLI_CPU, gpu);
    }

    private Tables tables(GpuModel model) {
        Tables known = byModel.get(model);
        if (known == null) {
            Map<Task, Double> tasks = tasks(model);
            known = byTasks.get(tasks);
            if (known == null) {
                known = made(tasks);
                byTasks.put(tasks, known);
            }
            byModel.put(model, known);
        }
        return known;
    }

    private Map<Task, Double> tasks(GpuModel model) {
        var parts = new LinkedHashMap<Task, Double>();
        for (TypicalWorkload.Kind kind : typicalWorkload.all()) {
            Need need = kind.need();
            if (need.gpus() > 0 && need.accepts(model)) {
                parts.merge(
                        new Task(need.milliCpu(), need.gpus(), need.milli()),
                        kind.part(),
                        Double::sum);
            }
        }
        return parts;
    }

    private static Tables made(Map<Task, Double> parts) {
        var tables = new Tables();
        var tasks = new ArrayList<>(parts.keySet());
        tasks.sort(SMALL_FIRST);
        fillSlivers(tables.slivers, tasks, parts);
        fillStrandings(tables.strandings, tasks, parts);
        return tables;
    }

    private static void fillSlivers(double[] slivers, List<Task> tasks, Map<Task, Double> parts) {
        var bySize = new double[slivers.length];
        for (Task task : tasks) {
            bySize[task.milli] += parts.getOrDefault(task, 0.0) * task.gpus;
        }
        for (int left = 1; left < slivers.length; left++) {
            double waste = STOPS_ON_GPU * left;
            double weight = STOPS_ON_GPU;
            for (int size = 1; size <= left; size++) {
                if (bySize[size] > 0) {
                    waste += bySize[size] * slivers[left - size];
                    weight += bySize[size];
                }
            }
            slivers[left] = waste / weight;
        }
    }

    private static void fillStrandings(double[] table, List<Task> tasks, Map<Task, Double> parts) {
        int count = tasks.size();
        var cpu = new double[count];
        var gpu = new double[count];
        var part = new double[count];
        var several = new boolean[count];
        for (int i = 0; i < count; i++) {
            Task task = tasks.get(i);
            cpu[i] = task.milliCpu / (double) MILLI_CPU;
            gpu[i] = task.gpus * task.milli / (double) MILLI_GPU;
            part[i] = parts.getOrDefault(task, 0.0);
            several[i] = task.gpus > 1;
        }
        for (int c = 0; c <= CPU_STEPS; c++) {
            for (int t = 1; t <= GPU_STEPS; t++) {
                double waste = STOPS_ON_NODE * t * MILLI_GPU;
                double weight = STOPS_ON_NODE;
                for (int i = 0; i < count && cpu[i] <= c; i++) {
                    double rest = t - gpu[i];
                    if (several[i] && rest < 0) {
                        continue;
                    }
                    weight += part[i];
                    if (rest > 0) {
                        waste += part[i] * between(table, c - cpu[i], rest);
                    }
                }
                table[c * ROW + t] = waste / weight;
            }
        }
    }

    /// Interpolates in the table. Larger nodes count as the largest in the table.
    private static double between(double[] table, double cpu, double gpu) {
        double atCpu = Math.min(cpu, CPU_STEPS);
        double atGpu = Math.min(gpu, GPU_STEPS);
        int c = (int) atCpu;
        int t = (int) atGpu;
        double alongCpu = atCpu - c;
        double alongGpu = atGpu - t;
        int at = c * ROW + t;
        double value = row(table, at, alongGpu) * (1 - alongCpu);
        return alongCpu > 0 ? value + alongCpu * row(table, at + ROW, alongGpu) : value;
    }

    private static double row(double[] table, int at, double along) {
        double value = table[at] * (1 - along);
        return along > 0 ? value + table[at + 1] * along : value;
    }
}
