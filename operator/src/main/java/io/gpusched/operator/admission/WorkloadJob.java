package io.gpusched.operator.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.cluster.NodeLabels;
import io.gpusched.operator.pods.TemplateReader;
import io.gpusched.operator.scheduler.JobState;

import java.util.ArrayList;
import java.util.List;

/// The one job that stands for a workload, as it is submitted.
///
/// @param tasks how many
/// @param body fields of the submission; empty where there is a problem
/// @param problem why it cannot be submitted; empty if it can
/// @param labels keys of node labels that the scheduler must know
/// @param notes what is not honoured, for the user
/// @param sets what its tasks are: the numbers of the pod sets that wait for nodes
record WorkloadJob(
        int tasks,
        ObjectNode body,
        String problem,
        List<String> labels,
        List<String> notes,
        List<Integer> sets) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KIND = "workload";
    private static final String CLUSTER = NodeLabels.CLUSTER;
    private static final int MOST_TASKS = 10_000;
    private static final List<String> GPUS = List.of("gpu_count");

    /// Reads a workload. Where some pods ask for GPUs, those that do not are left to the scheduler
    /// of Kubernetes: one job has tasks of one shape, and GPUs are what is scarce.
    ///
    /// @param cluster the UID of the cluster
    /// @param schedulerName whose pods become jobs of their own
    static WorkloadJob of(
            Workload workload, TemplateReader reader, String cluster, String schedulerName) {
        List<WorkloadKind.PodSet> sets = workload.kind().podSets(workload.object());
        if (sets.isEmpty()) {
            return refused("the workload has no pods to start; set its counts above 0");
        }
        var shapes = new ArrayList<TemplateReader.Shape>();
        for (WorkloadKind.PodSet set : sets) {
            String asked = set.template().path("spec").path("schedulerName").asText();
            if (asked.equals(schedulerName)) {
                return refused(
                        "its pods ask for schedulerName %s, which queues each pod itself; remove that or the label %s"
                                .formatted(schedulerName, Workload.ADMIT));
            }
            var shape = reader.read(set.template(), workload.namespace());
            if (!shape.problem().isEmpty()) {
                return refused(shape.problem());
            }
            shapes.add(shape);
        }
        boolean anyGpu = shapes.stream().anyMatch(WorkloadJob::hasGpu);
        var chosen = new ArrayList<Integer>();
        long tasks = 0;
        for (int i = 0; i < sets.size(); i++) {
            if (!anyGpu || hasGpu(shapes.get(i))) {
                chosen.add(i);
                tasks += sets.get(i).count();
            }
        }
        TemplateReader.Shape shape = shapes.get(chosen.getFirst());
        for (int each : chosen) {
            if (!shapes.get(each).shape().equals(shape.shape())) {
                return refused(
                        "its pod sets ask for different resources or nodes, which gpu-scheduler"
                                + " cannot start together; make them alike");
            }
        }
        if (tasks > MOST_TASKS) {
            return refused(
                    "the workload has %d pods, at most %d are possible"
                            .formatted(tasks, MOST_TASKS));
        }
        var notes = new ArrayList<>(shape.notes());
        if (chosen.size() < sets.size()) {
            notes.add("pods without GPUs are not waited for");
        }
        ObjectNode body = body(workload, shape.shape(), (int) tasks, cluster);
        return new WorkloadJob((int) tasks, body, "", shape.labels(), notes, chosen);
    }

    private static boolean hasGpu(TemplateReader.Shape shape) {
        return GPUS.stream().anyMatch(field -> shape.shape().path(field).asInt() > 0);
    }

    private static WorkloadJob refused(String why) {
        return new WorkloadJob(
                0, JsonNodeFactory.instance.objectNode(), why, List.of(), List.of(), List.of());
    }

    /// A submission counts amounts of all tasks together.
    private static ObjectNode body(Workload workload, ObjectNode shape, int tasks, String cluster) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("name", workload.name());
        for (var field : shape.properties()) {
            JsonNode value = field.getValue();
            body.set(
                    field.getKey(),
                    value.isIntegralNumber()
                            ? JsonNodeFactory.instance.numberNode(value.asLong() * tasks)
                            : value.deepCopy());
        }
        if (tasks > 1) {
            body.put("gang_scheduling", true).put("tasks", tasks);
        }
        body.putObject("labels")
                .put(CLUSTER, cluster)
                .put("gpu-scheduler.io/namespace", workload.namespace());
        // The pods will be objects of this cluster, so no other machine can run them.
        body.withObject("/node_selector").put(CLUSTER, cluster);
        ObjectNode attachment = JSON.createObjectNode().put("kind", KIND);
        attachment.put("cluster", cluster).put("uid", workload.uid());
        body.put("attachment", attachment.toString());
        return body;
    }

    /// The UID of the workload that an attachment names; empty if it names none.
    static String workload(String attachment) {
        JsonNode tree = tree(attachment);
        return tree.path("kind").asText().equals(KIND) ? tree.path("uid").asText() : "";
    }

    /// The UID of the workload of this cluster that a job stands for; empty for another job.
    static String workload(JobState job, String cluster) {
        boolean here = tree(job.attachment()).path("cluster").asText().equals(cluster);
        return here ? workload(job.attachment()) : "";
    }

    private static JsonNode tree(String attachment) {
        try {
            return attachment.startsWith("{") ? JSON.readTree(attachment) : JSON.missingNode();
        } catch (JsonProcessingException e) { // Another agent's words.
            return JSON.missingNode();
        }
    }
}
