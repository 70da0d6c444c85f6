package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.time.Duration;

/// One task and the pod that it is. Not for several threads: [PodHost] guards it.
final class PodTask {
    /// How far the task is. It only moves forward.
    enum Stage {
        NEW,
        PREPARED,
        BOUND,
        /// It ended or was refused; the scheduler has to be told until it confirms it.
        OVER
    }

    /// What the scheduler wants.
    enum Goal {
        NOTHING,
        PREPARE,
        RUN,
        STOP
    }

    final PodIdentity identity;
    final PodKey pod;
    final String node;

    Stage stage = Stage.NEW;
    Goal goal = Goal.NOTHING;

    /// Whether a call about the pod runs or waits.
    boolean calling;

    /// Whether the pod was asked to stop.
    boolean stopping;

    /// Whether the pod was ever bound as this task.
    boolean boundOnce;

    /// Whether the pod no longer exists.
    boolean vanished;

    /// Whether the scheduler's newest assignment names the task.
    boolean wanted;

    boolean acknowledged;
    String cause = "";
    private long boundAt;
    private TaskReport report;

    PodTask(PodIdentity identity, PodKey pod, String node) {
        this.identity = identity;
        this.pod = pod;
        this.node = node;
        this.report = begun().setPreparing(TaskReport.Preparing.getDefaultInstance()).build();
    }

    TaskRef ref() {
        return identity.task();
    }

    TaskReport report() {
        return report;
    }

    boolean isOver() {
        return stage == Stage.OVER;
    }

    boolean isGang() {
        return identity.tasks() > 1;
    }

    /// One run of one job.
    record Run(long job, int attempt, long term) {}

    Run run() {
        return new Run(ref().getJob(), ref().getAttempt(), ref().getTerm());
    }

    void prepared() {
        stage = Stage.PREPARED;
        report = begun().setPrepared(TaskReport.Prepared.getDefaultInstance()).build();
    }

    /// From here on the pod has its place, and it depends on its kubelet when containers run. So
    /// the task counts as running: pulling an image may take any time.
    void bound(long now) {
        stage = Stage.BOUND;
        boundOnce = true;
        boundAt = now;
        report =
                begun().setRunning(TaskReport.Running.newBuilder().setStartedAtEpochMillis(now))
                        .build();
    }

    void refused(String why, Duration retryAfter) {
        stage = Stage.OVER;
        report =
                begun().setRefused(
                                TaskReport.StartRefused.newBuilder()
                                        .setReason(why)
                                        .setOrdinary(true)
                                        .setRetryAfterMillis(retryAfter.toMillis()))
                        .build();
    }

    void ended(PodEnd end, long now) {
        boolean began = stage == Stage.BOUND;
        stage = Stage.OVER;
        var ended =
                TaskReport.Ended.newBuilder()
                        .setHow(end.how())
                        .setDetail(end.detail())
                        .setEndedAtEpochMillis(now)
                        .setRanMillis(began ? Math.max(0, now - boundAt) : 0);
        if (end.code() >= 0) {
            ended.setExitCode(end.code());
        }
        report = begun().setEnded(ended).build();
    }

    private TaskReport.Builder begun() {
        return TaskReport.newBuilder().setTask(ref()).setNodeId(node);
    }

    /// How a pod ended.
    ///
    /// @param code negative where there is none
    record PodEnd(TaskReport.How how, int code, String detail) {
        boolean isSuccess() {
            return how == TaskReport.How.EXITED && code == 0;
        }

        static PodEnd stopped(String detail) {
            return new PodEnd(TaskReport.How.STOPPED, -1, detail);
        }

        /// From a pod whose phase is `Succeeded` or `Failed`.
        static PodEnd of(JsonNode pod) {
            JsonNode status = pod.path("status");
            if (status.path("phase").asText().equals("Succeeded")) {
                return new PodEnd(TaskReport.How.EXITED, 0, "");
            }
            for (JsonNode container : status.path("containerStatuses")) {
                JsonNode end = container.path("state").path("terminated");
                if (end.path("exitCode").asInt(0) != 0) {
                    return new PodEnd(
                            TaskReport.How.EXITED,
                            end.path("exitCode").asInt(),
                            "container " + container.path("name").asText() + words(end));
                }
            }
            return new PodEnd(TaskReport.How.EXITED, -1, "the pod failed" + words(status));
        }

        private static String words(JsonNode status) {
            String reason = status.path("reason").asText("");
            String message = status.path("message").asText("");
            return (reason.isEmpty() ? "" : ": " + reason)
                    + (message.isEmpty() ? "" : ": " + message);
        }
    }
}
