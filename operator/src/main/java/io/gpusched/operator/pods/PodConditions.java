package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/// Writes why a pod waits into its condition PodScheduled, where people and autoscalers look, and
/// an event beside it. A text that has not changed is not written again, one pod is written about
/// every few seconds at most, and only some requests run at a time.
public final class PodConditions implements PodNotes, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PodConditions.class);
    private static final Duration BETWEEN = Duration.ofSeconds(15);

    /// The pods of a group are created one after the other: what is missing may be on its way.
    private static final Duration FIRST = Duration.ofMillis(1_500);

    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final int LONGEST = 1_000;
    private static final int IN_FLIGHT = 4;

    private final KubeApi api;
    private final ClusterObjects objects;
    private final EventSink events;
    private final CallWindow window = new CallWindow("pod-condition", IN_FLIGHT);
    private final Map<String, Note> notes = new HashMap<>();
    private boolean forbidden;

    /// Takes events about pods; it aggregates them, and drops what is too much.
    public interface EventSink {
        void warn(PodKey pod, String reason, String message);
    }

    private static final class Note {
        private final PodKey pod;
        private String wanted = "";
        private String told = "";
        private long toldAt = System.nanoTime() - BETWEEN.minus(FIRST).toNanos();
        private boolean planned;

        private Note(PodKey pod) {
            this.pod = pod;
        }
    }

    public PodConditions(KubeApi api, ClusterObjects objects, EventSink events) {
        this.api = api;
        this.objects = objects;
        this.events = events;
    }

    @Override
    public synchronized void waiting(PodKey pod, String why) {
        Note note = notes.computeIfAbsent(pod.uid(), _ -> new Note(pod));
        note.wanted = why.length() > LONGEST ? why.substring(0, LONGEST - 1) + "…" : why;
        if (!note.wanted.equals(note.told) && !note.planned) {
            note.planned = true;
            long since = System.nanoTime() - note.toldAt;
            Duration left = BETWEEN.minusNanos(since);
            if (left.isPositive()) {
                window.after(left, () -> tell(note));
            } else {
                window.run(() -> tell(note));
            }
        }
    }

    @Override
    public synchronized void forget(String uid) {
        notes.remove(uid);
    }

    private void tell(Note note) {
        String why;
        synchronized (this) {
            note.planned = false;
            why = note.wanted;
            boolean current = note.equals(notes.get(note.pod.uid()));
            if (!current || why.isEmpty() || why.equals(note.told)) {
                return;
            }
            note.told = why;
            note.toldAt = System.nanoTime();
        }
        JsonNode pod = objects.find(ResourceType.PODS, note.pod.namespace(), note.pod.name());
        if (!PodKey.of(pod).equals(note.pod) || isTold(pod, why)) {
            return;
        }
        try {
            api.patch(
                    ResourceType.PODS,
                    note.pod.namespace(),
                    note.pod.name(),
                    "status",
                    KubeApi.PatchKind.STRATEGIC,
                    patch(note.pod, why));
            events.warn(note.pod, "FailedScheduling", why);
        } catch (KubeException e) {
            failed(note, e);
        }
    }

    /// An earlier operator may have written the same.
    private static boolean isTold(JsonNode pod, String why) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")) {
                return condition.path("message").asText().equals(why);
            }
        }
        return false;
    }

    private static ObjectNode patch(PodKey pod, String why) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").put("uid", pod.uid());
        patch.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "False")
                .put("reason", "Unschedulable")
                .put("message", why)
                .put(
                        "lastTransitionTime",
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return patch;
    }

    private synchronized void failed(Note note, KubeException e) {
        if (e.isTransient()) {
            note.told = "";
            note.planned = true;
            window.after(RETRY, () -> tell(note));
        } else if (e.isForbidden() && !forbidden) {
            forbidden = true;
            log.warn(
                    "pods are not told why they wait: {}; give the operator's role the verb patch"
                            + " on pods/status",
                    e.getMessage());
        }
    }

    @Override
    public void close() {
        window.close();
    }
}
