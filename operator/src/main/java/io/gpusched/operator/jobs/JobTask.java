package io.gpusched.operator.jobs;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.pods.PodKey;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/// One task and its pod. Not for several threads: [JobHost] guards it.
final class JobTask {
    /// How far the task is. It only moves forward.
    enum Stage {
        NEW,
        PREPARED,
        /// Its pod exists.
        CREATED,
        /// It ended or was refused; the scheduler has to be told until it confirms it.
        OVER
    }

    /// What keeps a container from starting until somebody changes something.
    private static final Set<String> STUCK =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "InvalidImageName",
                    "ErrImageNeverPull",
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError");

    final TaskRef ref;
    final String node;
    Stage stage = Stage.NEW;

    /// The newest order; the default one for a pod of an earlier operator that was not named yet.
    TaskOrder order = TaskOrder.getDefaultInstance();

    /// Null while there is no pod, and again when it is gone.
    @Nullable PodKey pod;

    /// Whether a call about the pod runs or waits.
    boolean calling;

    /// Whether the pod was asked to stop.
    boolean stopping;

    /// Whether the scheduler's newest assignment names the task.
    boolean wanted = true;

    boolean acknowledged;

    /// Why no container starts; empty if nothing is wrong.
    String stuck = "";

    long stuckSince;
    long overAt;
    private long createdAt;
    private TaskReport report;

    JobTask(TaskRef ref, String node) {
        this.ref = ref;
        this.node = node;
        this.report = begun().setPreparing(TaskReport.Preparing.getDefaultInstance()).build();
    }

    private TaskReport.Builder begun() {
        return TaskReport.newBuilder().setTask(ref).setNodeId(node);
    }

    TaskReport report() {
        return report;
    }

    boolean isOver() {
        return stage == Stage.OVER;
    }

    void prepared() {
        stage = Stage.PREPARED;
        report =
                begun().setPrepared(
                                TaskReport.Prepared.newBuilder()
                                        .setFreePort(JobEnvironment.MASTER_PORT))
                        .build();
    }

    /// From here on the pod depends on its kubelet. The task counts as running: pulling an image
    /// may take any time.
    void created(PodKey key, long now) {
        stage = Stage.CREATED;
        pod = key;
        createdAt = now;
        report =
                begun().setRunning(
                                TaskReport.Running.newBuilder()
                                        .setStartedAtEpochMillis(now)
                                        .setFreePort(JobEnvironment.MASTER_PORT))
                        .build();
    }

    /// @param retryAfter [JobPodCalls#NEVER] if the job is at fault
    void refused(String why, Duration retryAfter, long now) {
        stage = Stage.OVER;
        overAt = now;
        report =
                begun().setRefused(
                                TaskReport.StartRefused.newBuilder()
                                        .setReason(why)
                                        .setOrdinary(retryAfter.isPositive())
                                        .setRetryAfterMillis(retryAfter.toMillis()))
                        .build();
    }

    void ended(JobEnd end, long now) {
        boolean began = stage == Stage.CREATED;
        stage = Stage.OVER;
        overAt = now;
        report =
                begun().setEnded(
                                end.report()
                                        .setEndedAtEpochMillis(now)
                                        .setRanMillis(began ? Math.max(0, now - createdAt) : 0))
                        .build();
    }

    /// What is to be reported when the pod is gone.
    JobEnd gone() {
        if (!stuck.isEmpty() && order.getOrderCase() != TaskOrder.OrderCase.STOP && wanted) {
            return new JobEnd(TaskReport.How.EXITED, -1, "the container does not start: " + stuck);
        }
        return stopping
                ? JobEnd.stopped(order.getStop().getCause())
                : new JobEnd(TaskReport.How.LOST, -1, "somebody deleted the pod");
    }

    /// Notes whether a container cannot start.
    void look(JsonNode seen, long now) {
        String why = "";
        for (JsonNode each : seen.at("/status/containerStatuses")) {
            JsonNode waiting = each.path("state").path("waiting");
            if (STUCK.contains(waiting.path("reason").asText())) {
                why = waiting.path("reason").asText() + ": " + waiting.path("message").asText();
            }
        }
        if (stuck.isEmpty() && !why.isEmpty()) {
            stuckSince = now;
        }
        stuck = why;
    }
}
