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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Reads Alibaba's GPU cluster of 2023 ("openb"): nodes as `sn,cpu_milli,memory_mib,gpu,model`,
/// pods as `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,…,creation_time,deletion_time,…`.
///
/// Some files of pods have only the first five columns: their pods all come at the epoch, and it is
/// not known how long they run. A pod's quality of service is its tenant.
public final class OpenbReader {
    private static final String NODE = "sn,cpu_milli,memory_mib,gpu,model";
    private static final String POD =
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,qos,…,creation_time,…]";
    private static final List<String> POD_COLUMNS =
            List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");

    private OpenbReader() {}

    /// The pods, in the order they came.
    public static Trace pods(Path file) {
        try (Lines lines = Lines.open(file, "openb pods, a CSV file with " + POD)) {
            var columns = new Columns(lines, POD_COLUMNS);
            return new Jobs(lines, POD).readAll(line -> pod(line.split(",", -1), columns));
        }
    }

    private static TraceJob pod(String[] cells, Columns columns) {
        int gpus = (int) Jobs.count(columns.cell(cells, "num_gpu"));
        int milli = gpus == 0 ? 0 : (int) Jobs.count(columns.cell(cells, "gpu_milli"));
        String created = columns.cell(cells, "creation_time");
        String deleted = columns.cell(cells, "deletion_time");
        Duration came = created.isEmpty() ? Duration.ZERO : Jobs.seconds(created);
        Duration ran = deleted.isEmpty() ? Duration.ZERO : Jobs.seconds(deleted).minus(came);
        if (ran.isNegative()) {
            throw new IllegalArgumentException("deleted before it was created");
        }
        String models = columns.cell(cells, "gpu_spec");
        return new TraceJob(
                columns.cell(cells, "name"),
                columns.cell(cells, "qos"),
                Instant.EPOCH.plus(came),
                ran,
                Duration.ZERO,
                new TraceJob.Ask(
                        gpus,
                        milli,
                        Jobs.count(columns.cell(cells, "cpu_milli")),
                        Jobs.count(columns.cell(cells, "memory_mib")),
                        models.isEmpty() ? List.of() : Arrays.asList(models.split("\\|", -1))));
    }

    /// The pods in the order of the file, for experiments that name them by their row. Every row
    /// must be right, or all names behind it would be wrong.
    public static List<TraceJob> podRows(Path file) {
        try (Lines lines = Lines.open(file, "openb pods, a CSV file with " + POD)) {
            var columns = new Columns(lines, POD_COLUMNS);
            return everyRow(lines, POD, cells -> pod(cells, columns));
        }
    }

    /// The nodes, in the order of the file. Every row must be right: a cluster with some nodes
    /// missing is another cluster.
    public static List<Node> nodes(Path file) {
        try (Lines lines = Lines.open(file, "openb nodes, a CSV file with " + NODE)) {
            var columns = new Columns(lines, List.of(NODE.split(",", -1)));
            var models = new LinkedHashMap<String, GpuModel>();
            return everyRow(lines, NODE, cells -> node(cells, columns, models));
        }
    }

    private static <T> List<T> everyRow(Lines lines, String expected, Function<String[], T> read) {
        var rows = new ArrayList<T>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            try {
                rows.add(read.apply(line.split(",", -1)));
            } catch (RuntimeException wrong) {
                throw new BadTrace(
                        "%s, line %d: expected %s, found %s (%s)"
                                .formatted(
                                        lines.file(),
                                        lines.number(),
                                        expected,
                                        line,
                                        Jobs.why(wrong)));
            }
        }
        if (rows.isEmpty()) {
            throw new BadTrace(
                    "%s is empty; expected rows of %s".formatted(lines.file(), expected));
        }
        return rows;
    }

    private static Node node(String[] cells, Columns columns, Map<String, GpuModel> models) {
        String name = columns.cell(cells, "model");
        GpuModel model = models.computeIfAbsent(name, each -> new GpuModel(each, 0));
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < Jobs.count(columns.cell(cells, "gpu")); i++) {
            gpus.add(new Gpu(i, model, 0, ""));
        }
        return new Node(
                new NodeId(columns.cell(cells, "sn")),
                TraceRun.AGENT,
                "",
                gpus,
                Topology.FLAT,
                new Resources(
                        Jobs.count(columns.cell(cells, "cpu_milli")),
                        Jobs.count(columns.cell(cells, "memory_mib"))),
                List.of(),
                Labels.NONE);
    }
}
