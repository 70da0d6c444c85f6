package io.gpusched.sim.trace;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Topology;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Reads Alibaba's GPU cluster of 2023 ("openb"): nodes as `sn,cpu_milli,memory_mib,gpu,model`,
/// pods as `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,…,creation_time,deletion_time,…`.
///
/// Some files of pods have only the first five columns: their pods all come at the epoch, and it is
/// not known how long they run. A pod's quality of service is its tenant.
public final class OpenbReader {
    private static final List<String> NODE_COLUMNS =
            List.of("sn", "cpu_milli", "memory_mib", "gpu", "model");
    private static final String POD =
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,qos,…,creation_time,…]";
    private static final List<String> POD_COLUMNS =
            List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");

    private OpenbReader() {}

    /// The pods, in the order they came.
    public static Trace pods(Path file) {
        try (TextLines textLines = TextLines.open(file, "openb pods, a CSV file with " + POD)) {
            var columns = new Columns(textLines, POD_COLUMNS);
            return new TraceJobs(textLines, POD)
                    .readAll(
                            line -> {
                                String[] cells = line.split(",", -1);
                                return pod(name -> columns.cell(cells, name));
                            });
        }
    }

    private static TraceJob pod(UnaryOperator<String> cell) {
        int gpus = (int) TraceJobs.count(cell.apply("num_gpu"), Gpu.MOST_PER_NODE);
        int milli = gpus == 0 ? 0 : (int) TraceJobs.count(cell.apply("gpu_milli"), 1000);
        String created = cell.apply("creation_time");
        String deleted = cell.apply("deletion_time");
        Duration came = created.isEmpty() ? Duration.ZERO : TraceJobs.seconds(created);
        Duration ran = deleted.isEmpty() ? Duration.ZERO : TraceJobs.seconds(deleted).minus(came);
        if (ran.isNegative()) {
            throw new IllegalArgumentException("deleted before it was created");
        }
        String models = cell.apply("gpu_spec");
        return new TraceJob(
                cell.apply("name"),
                cell.apply("qos"),
                Instant.EPOCH.plus(came),
                ran,
                Duration.ZERO,
                new TraceJob.Ask(
                        gpus,
                        milli,
                        TraceJobs.amount(cell.apply("cpu_milli")),
                        TraceJobs.amount(cell.apply("memory_mib")),
                        models.isEmpty() ? List.of() : Arrays.asList(models.split("\\|", -1))));
    }

    /// The pods in the order of the file, for experiments that name them by their row. Every row
    /// must be right, or all names behind it would be wrong.
    public static List<TraceJob> podRows(Path file) {
        return CsvFile.rows(file, "openb pods", POD_COLUMNS, row -> pod(row::text));
    }

    /// The nodes, in the order of the file. Every row must be right: a cluster with some nodes
    /// missing is another cluster. No two nodes have the same name.
    public static List<Node> nodes(Path file) {
        var models = new LinkedHashMap<String, GpuModel>();
        var names = new HashSet<String>();
        return CsvFile.rows(
                file,
                "openb nodes",
                NODE_COLUMNS,
                row -> {
                    if (!names.add(row.text("sn"))) {
                        throw new IllegalArgumentException(
                                "there is another node " + row.text("sn"));
                    }
                    return node(row, models);
                });
    }

    private static Node node(CsvFile.Row row, Map<String, GpuModel> models) {
        String name = row.text("model");
        GpuModel model = models.computeIfAbsent(name, each -> new GpuModel(each, 0));
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < row.whole("gpu", 0, Gpu.MOST_PER_NODE); i++) {
            gpus.add(new Gpu(i, model, 0, ""));
        }
        return new Node(
                new NodeId(row.text("sn")),
                TraceRun.AGENT,
                "",
                gpus,
                Topology.FLAT,
                new Resources(
                        TraceJobs.amount(row.text("cpu_milli")),
                        TraceJobs.amount(row.text("memory_mib"))),
                List.of(),
                Labels.NONE);
    }
}
