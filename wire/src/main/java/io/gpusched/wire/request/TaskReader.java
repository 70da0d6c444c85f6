package io.gpusched.wire.request;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Toleration;
import io.gpusched.wire.codec.Interner;

import java.util.ArrayList;
import java.util.List;

/// Computes the tasks of a job. `gpu_count`, `cpu_cores` and `memory_mb` are totals of all tasks;
/// `gpu_memory_mb` is the memory that each GPU must have. `cpu_milli` counts the cores in
/// thousandths.
///
///     gpu_count 16, gang, nodes of 8   →  2 tasks of 8 GPUs
///     gpu_count 12, gang, nodes of 8   →  2 tasks of 6 GPUs
///     gpu_count 16, no gang            →  1 task, and a warning that no node is large enough
final class TaskReader {
    private static final int USUAL_NODE = 8;
    private static final Interner<String, GpuModel> MODELS = new Interner<>(256, GpuModel::parse);

    private final RequestFields requestFields;
    private final int largestNode;
    private final boolean nodesKnown;
    private final boolean lasting;
    private List<Proximity> near = List.of();
    private boolean exceedsNodes;
    private final List<String> warnings;

    TaskReader(RequestFields requestFields, JobRequest.Context context, List<String> warnings) {
        this.requestFields = requestFields;
        this.lasting = context.lasting();
        this.nodesKnown = context.largestNode() > 0;
        this.largestNode = nodesKnown ? context.largestNode() : USUAL_NODE;
        this.warnings = warnings;
    }

    /// The one role of the job; meaningless if there are problems.
    List<Role> roles() {
        int gpus = requestFields.integer("gpu_count", 1, 0, RequestBounds.MOST_GPUS);
        int gpuMemory =
                requestFields.integer("gpu_memory_mb", 0, 0, RequestBounds.MOST_GPU_MEMORY_MIB);
        long milliCpu = milliCpu();
        long memory = requestFields.whole("memory_mb", 0, 0, RequestBounds.MOST_MEMORY_MIB);
        boolean gang = requestFields.flag("gang_scheduling", false);
        int requested = requestFields.integer("tasks", 0, 1, RequestBounds.MOST_TASKS);
        List<GpuModel> models = models();
        var kind = new GpuReader(requestFields, models, warnings);
        Labels nodes =
                requestFields.labels(
                        "node_selector",
                        RequestBounds.LABELS,
                        RequestBounds.KEY,
                        RequestBounds.VALUE);
        List<Toleration> tolerates = tolerations();
        int tasks = tasks(gpus, gang, requested);
        int each = gpus / tasks;
        if (each > Gpu.MOST_PER_NODE) {
            tooLarge(gpus, tasks, each);
            each = 0;
        } else if (each > largestNode && !kind.slices()) {
            exceedsNodes = true;
            warnings.add(
                    ("%s GPUs on one node are more than %s node's %s: the job waits; set"
                                    + " gang_scheduling to true to spread it over nodes")
                            .formatted(each, nodesKnown ? "the largest" : "a usual", largestNode));
        }
        var host = new Resources(milliCpu / tasks, memory / tasks);
        checkOneNode(kind, gpus, each);
        near =
                kind.locality() == Locality.SAME_NODE && tasks > 1
                        ? List.of(new Proximity(Proximity.NODE, true))
                        : List.of();
        var shape =
                new Shape(kind.request(each, gpuMemory), host, models, nodes, tolerates)
                        .requiring(new NodeRequirementReader(requestFields, warnings).read());
        return List.of(gang ? Role.ofGang(shape, tasks) : Role.of(shape, tasks));
    }

    /// The cores of all tasks in thousandths. Where GPUs are counted, thousandths stand for parts
    /// of one; a user writes either them or whole cores.
    private long milliCpu() {
        long cores = requestFields.whole("cpu_cores", 1, 0, RequestBounds.MOST_CORES);
        long most = RequestBounds.MOST_CORES * 1000L;
        long milli = requestFields.whole("cpu_milli", cores * 1000, 0, most);
        if (requestFields.has("cpu_milli") && requestFields.has("cpu_cores")) {
            requestFields.problem(
                    "cpu_milli",
                    "cpu_milli and cpu_cores are both given",
                    "leave one of them out: 1000 thousandths are one core");
        }
        return milli;
    }

    /// How near the tasks must be to each other; valid after [#roles].
    List<Proximity> near() {
        return near;
    }

    /// Whether a task asks for more GPUs than a node has; known when [#roles] has been asked.
    boolean exceedsNodes() {
        return exceedsNodes;
    }

    /// GPUs that must be on one node cannot be more than the largest node has.
    private void checkOneNode(GpuReader kind, int gpus, int each) {
        int together = kind.locality() == Locality.SAME_NODE ? gpus : each;
        boolean bound = kind.locality() != Locality.ANY && !kind.slices();
        if (bound && nodesKnown && !lasting && together > largestNode) {
            requestFields.problem(
                    "gpu_locality",
                    "no node has " + together + " GPUs, the largest has " + largestNode,
                    "ask for at most " + largestNode + ", or for any");
        }
    }

    private int tasks(int gpus, boolean gang, int requested) {
        if (requested == 0) {
            return gang ? spread(gpus) : 1;
        }
        if (requested > 1 && requestFields.has("gang_scheduling") && !gang) {
            requestFields.problem(
                    "tasks",
                    "tasks is " + requested + " while gang_scheduling is false",
                    "set gang_scheduling to true, or leave it out");
        }
        if (gpus % requested != 0) {
            requestFields.problem(
                    "tasks",
                    "gpu_count " + gpus + " cannot be split evenly into " + requested + " tasks",
                    "make gpu_count a multiple of tasks");
            return 1;
        }
        return requested;
    }

    /// As few tasks as nodes allow: each gets the largest divisor that fits the largest node.
    private int spread(int gpus) {
        if (gpus == 0) {
            return 1;
        }
        int each = Math.min(gpus, Math.min(largestNode, Gpu.MOST_PER_NODE));
        while (gpus % each != 0) {
            each--;
        }
        if (gpus / each > RequestBounds.MOST_TASKS) {
            requestFields.problem(
                    "gpu_count",
                    "gpu_count %s can only be split into %s tasks, at most %s fit"
                            .formatted(gpus, gpus / each, RequestBounds.MOST_TASKS),
                    "choose a multiple of " + largestNode);
            return 1;
        }
        return gpus / each;
    }

    private void tooLarge(int gpus, int tasks, int each) {
        requestFields.problem(
                "gpu_count",
                "%s GPUs in %s is %s GPUs on one node, at most %s are possible"
                        .formatted(gpus, Plurals.of(tasks, "task"), each, Gpu.MOST_PER_NODE),
                tasks == 1
                        ? "set gang_scheduling to true to spread the job over nodes"
                        : "ask for more tasks");
    }

    private List<GpuModel> models() {
        var names =
                requestFields.textOrTexts("gpu_model", RequestBounds.MODELS, RequestBounds.NAME);
        var models = new ArrayList<GpuModel>();
        for (String name : names) {
            if (!name.isBlank() && !name.equalsIgnoreCase("any")) {
                models.add(MODELS.of(name));
            }
        }
        return models;
    }

    private List<Toleration> tolerations() {
        var tolerations = new ArrayList<Toleration>();
        for (RequestFields each : requestFields.objects("tolerations", RequestBounds.TOLERATIONS)) {
            String key = each.text("key", "", RequestBounds.KEY);
            String operator = each.text("operator", key.isEmpty() ? "Exists" : "Equal", 16);
            String value = each.text("value", "", RequestBounds.VALUE);
            String effect = each.text("effect", "", 32);
            boolean exists = operator.equals("Exists");
            if (!exists && !operator.equals("Equal")) {
                each.problem(
                        "operator",
                        "operator must be Equal or Exists, found \"" + operator + "\"",
                        "write Exists to tolerate every value");
            }
            if (!List.of("", "NoSchedule", "PreferNoSchedule", "NoExecute").contains(effect)) {
                each.problem(
                        "effect",
                        "effect must be NoSchedule, PreferNoSchedule or NoExecute, found \""
                                + effect
                                + "\"",
                        "leave it out to tolerate every effect");
            }
            warnings.addAll(each.unknown());
            tolerations.add(new Toleration(key, exists, value, effect));
        }
        return tolerations;
    }
}
