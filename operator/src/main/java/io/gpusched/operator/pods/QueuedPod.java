package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.cluster.PodUse;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;

/// A pod that asks for our scheduler, as far as its queue is concerned.
///
/// @param created when it was created, as its object says
/// @param index its number within its owner; the largest number if it has none
/// @param priority as its PriorityClass gave it
/// @param graceSeconds how long it may take to stop
/// @param group null for a pod of no group
record QueuedPod(
        PodKey key,
        String created,
        int index,
        State state,
        int priority,
        long graceSeconds,
        @Nullable GroupRef group,
        PodReading reading) {
    /// Where a pod is on its way.
    enum State {
        /// It waits for somebody to remove its scheduling gates.
        GATED,
        PENDING,
        BOUND,
        /// It was bound, and is being deleted or has ended.
        OVER,
        /// It is being deleted, and was never bound.
        LEAVING
    }

    /// The order in which pods of a group become ranks of a gang: older pods first, so that a new
    /// pod does not change a gang that waits already.
    static final Comparator<QueuedPod> RANKS =
            Comparator.comparing(QueuedPod::created)
                    .thenComparingInt(QueuedPod::index)
                    .thenComparingInt(pod -> pod.key.name().length())
                    .thenComparing(pod -> pod.key.name())
                    .thenComparing(pod -> pod.key.uid());

    private static final List<String> INDICES =
            List.of(
                    "batch.kubernetes.io/job-completion-index",
                    "apps.kubernetes.io/pod-index",
                    "training.kubeflow.org/replica-index");

    private static final long USUAL_GRACE = 30;

    static QueuedPod of(JsonNode pod, PodReader podReader, GroupReader groupReader) {
        State state = state(pod);
        JsonNode spec = pod.path("spec");
        return new QueuedPod(
                PodKey.of(pod),
                pod.path("metadata").path("creationTimestamp").asText(),
                index(pod.path("metadata")),
                state,
                spec.path("priority").asInt(0),
                spec.path("terminationGracePeriodSeconds").asLong(USUAL_GRACE),
                groupReader.read(pod),
                state == State.PENDING
                        ? podReader.read(pod)
                        : new PodReading.Waits("the pod does not wait"));
    }

    QueuedPod withState(State other) {
        return new QueuedPod(key, created, index, other, priority, graceSeconds, group, reading);
    }

    static State state(JsonNode pod) {
        boolean ends = pod.path("metadata").has("deletionTimestamp") || PodUse.isOver(pod);
        if (!pod.path("spec").path("nodeName").asText("").isEmpty()) {
            return ends ? State.OVER : State.BOUND;
        }
        if (ends) {
            return State.LEAVING;
        }
        return pod.path("spec").path("schedulingGates").isEmpty() ? State.PENDING : State.GATED;
    }

    private static int index(JsonNode metadata) {
        for (String key : INDICES) {
            String text =
                    metadata.path("labels")
                            .path(key)
                            .asText(metadata.path("annotations").path(key).asText(""));
            if (!text.isEmpty() && text.length() < 9 && text.chars().allMatch(Character::isDigit)) {
                return Integer.parseInt(text);
            }
        }
        return Integer.MAX_VALUE;
    }
}
