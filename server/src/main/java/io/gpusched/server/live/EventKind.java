package io.gpusched.server.live;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What kind of thing happened, and to what kind of subject.
public enum EventKind {
    SUBMITTED(Subject.JOB),
    UPDATED(Subject.JOB),
    HELD(Subject.JOB),
    RELEASED(Subject.JOB),
    SCHEDULED(Subject.JOB),
    RUNNING(Subject.JOB),
    STOPPING(Subject.JOB),
    IDLE(Subject.JOB),
    BUSY(Subject.JOB),
    REFUSED(Subject.JOB),
    RECONSIDERED(Subject.JOB),
    CAPACITY_CHOSEN(Subject.JOB),
    REQUEUED(Subject.JOB),
    PREEMPTED(Subject.JOB),
    COMPLETED(Subject.JOB),
    FAILED(Subject.JOB),
    CANCELLED(Subject.JOB),
    NODE_JOINED(Subject.NODE),
    NODE_CHANGED(Subject.NODE),
    NODE_UNREACHABLE(Subject.NODE),
    NODE_LOST(Subject.NODE),
    NODE_BACK(Subject.NODE),
    NODE_CORDONED(Subject.NODE),
    NODE_UNCORDONED(Subject.NODE),
    NODE_DRAINING(Subject.NODE),
    NODE_DRAINED(Subject.NODE),
    NODE_REMOVED(Subject.NODE),
    GPU_UNFIT(Subject.NODE),
    GPU_HOT(Subject.NODE),
    GPU_OK(Subject.NODE),
    TENANT_CREATED(Subject.TENANT),
    TENANT_CHANGED(Subject.TENANT),
    TENANT_REMOVED(Subject.TENANT),
    POOL_CREATED(Subject.POOL),
    POOL_CHANGED(Subject.POOL),
    POOL_REMOVED(Subject.POOL),
    POOL_HELD(Subject.POOL),
    POOL_SCALED(Subject.POOL),
    POOL_LAPSED(Subject.POOL),
    REPLICA_DRAINING(Subject.POOL),
    POLICY(Subject.POLICY),
    MODEL(Subject.MODEL),
    STARTED(Subject.SCHEDULER),
    DELAYED(Subject.SCHEDULER),
    ALERT(Subject.ALERT),
    ALERT_RESOLVED(Subject.ALERT);

    /// What an event is about.
    public enum Subject {
        JOB,
        NODE,
        TENANT,
        POOL,
        POLICY,
        MODEL,
        SCHEDULER,
        ALERT;

        private final String text = name().toLowerCase(Locale.ROOT);

        /// As answers write it: `job`.
        public String text() {
            return text;
        }
    }

    private final Subject subject;
    private final String text = name().toLowerCase(Locale.ROOT);

    EventKind(Subject subject) {
        this.subject = subject;
    }

    public Subject subject() {
        return subject;
    }

    /// As answers write it: `node_lost`.
    public String text() {
        return text;
    }

    /// The kind that answers write as `text`; null if there is none.
    public static @Nullable EventKind parse(String text) {
        for (EventKind kind : values()) {
            if (kind.text.equals(text)) {
                return kind;
            }
        }
        return null;
    }

    /// All kinds as answers write them.
    public static List<String> texts() {
        return Arrays.stream(values()).map(EventKind::text).toList();
    }
}
