package io.gpusched.store;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What one run of a job held on one node, and when.
///
/// @param gpus one bit each; 0 where they were only counted
/// @param start when it was placed
/// @param end null while it runs
/// @param endKind `completed`, `failed`, `cancelled`, `preempted`, `requeued` or `running`
public record RunRow(
        Key key,
        String name,
        TenantId tenant,
        long gpus,
        Instant start,
        @Nullable Instant end,
        String endKind) {
    public static final String RUNNING = "running";

    /// Identifies the run and the node.
    public record Key(JobId job, int attempt, NodeId node) {}

    /// Why a run is over after an event that ended it.
    public static String endKind(Event event) {
        return switch (event) {
            case Event.JobRequeued e -> e.lost() || e.drained() ? "requeued" : "preempted";
            case Event.JobEnded e ->
                    switch (e.outcome().result()) {
                        case COMPLETED -> "completed";
                        case FAILED -> "failed";
                        case CANCELLED -> "cancelled";
                    };
            default -> RUNNING;
        };
    }

    /// The same run, ended.
    public RunRow ended(Instant at, String kind) {
        return new RunRow(key, name, tenant, gpus, start, at, kind);
    }

    /// The same run on the same node with the GPUs of one more task.
    RunRow with(long more) {
        return new RunRow(key, name, tenant, gpus | more, start, end, endKind);
    }
}
