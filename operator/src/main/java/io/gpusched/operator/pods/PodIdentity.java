package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.wire.proto.agent.TaskRef;

import org.jspecify.annotations.Nullable;

/// Which task a bound pod is. It is written into the annotations of the binding, which the API
/// server puts on the pod in the same step, so an operator that has forgotten everything finds its
/// tasks again.
///
/// @param tasks how many tasks the job has
/// @param gpus the numbers of the GPUs as the scheduler counts them, separated by commas
public record PodIdentity(TaskRef task, String job, int tasks, String gpus) {
    static final String JOB = "gpu-scheduler.io/job";

    private static final String NUMBER = "gpu-scheduler.io/job-number";
    private static final String ATTEMPT = "gpu-scheduler.io/attempt";
    private static final String TERM = "gpu-scheduler.io/term";
    private static final String RANK = "gpu-scheduler.io/rank";
    private static final String TASKS = "gpu-scheduler.io/tasks";
    private static final String GPUS = "gpu-scheduler.io/gpus";

    /// Null for a pod that no scheduler of ours has bound.
    public static @Nullable PodIdentity of(JsonNode pod) {
        JsonNode annotations = pod.path("metadata").path("annotations");
        if (pod.path("spec").path("nodeName").asText("").isEmpty() || !annotations.has(NUMBER)) {
            return null;
        }
        try {
            TaskRef task =
                    TaskRef.newBuilder()
                            .setJob(Long.parseLong(annotations.path(NUMBER).asText()))
                            .setAttempt(Integer.parseInt(annotations.path(ATTEMPT).asText()))
                            .setTerm(Long.parseLong(annotations.path(TERM).asText()))
                            .setRank(Integer.parseInt(annotations.path(RANK).asText()))
                            .build();
            boolean valid = task.getJob() > 0 && task.getAttempt() > 0 && task.getRank() >= 0;
            return valid
                    ? new PodIdentity(
                            task,
                            annotations.path(JOB).asText(),
                            Integer.parseInt(annotations.path(TASKS).asText("1")),
                            annotations.path(GPUS).asText())
                    : null;
        } catch (NumberFormatException e) { // Somebody changed it: the pod counts as foreign.
            return null;
        }
    }

    public void putInto(ObjectNode annotations) {
        annotations
                .put(JOB, job)
                .put(NUMBER, Long.toString(task.getJob()))
                .put(ATTEMPT, Integer.toString(task.getAttempt()))
                .put(TERM, Long.toString(task.getTerm()))
                .put(RANK, Integer.toString(task.getRank()))
                .put(TASKS, Integer.toString(tasks));
        if (!gpus.isEmpty()) {
            annotations.put(GPUS, gpus);
        }
    }
}
