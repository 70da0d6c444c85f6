package io.gpusched.server.http;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.policy.Victims;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// What happened to a job, for people.
final class EventWords {
    private EventWords() {}

    static String kind(Event event) {
        return switch (event) {
            case Event.JobSubmitted e -> "submitted";
            case Event.JobUpdated e -> "updated";
            case Event.JobHeld e -> "held";
            case Event.JobReleased e -> "released";
            case Event.AttemptPlaced e -> "scheduled";
            case Event.AttemptRunning e -> "running";
            case Event.AttemptStopping e -> "stopping";
            case Event.TaskIdle e -> e.since() == null ? "busy" : "idle";
            case Event.StartRefused e -> "refused";
            case Event.AvoidanceEnded e -> "reconsidered";
            case Event.JobRequeued e -> e.lost() || e.drained() ? "requeued" : "preempted";
            case Event.JobEnded e -> result(e.outcome());
            default -> event.getClass().getSimpleName();
        };
    }

    static String message(Event event) {
        return switch (event) {
            case Event.JobSubmitted e ->
                    "submitted to tenant " + e.spec().tenant() + " by " + e.by();
            case Event.JobUpdated e -> "priority is " + e.priority() + ", by " + e.by();
            case Event.JobHeld e -> e.why();
            case Event.JobReleased e -> "released by " + e.by();
            case Event.AttemptPlaced e ->
                    "run " + e.attempt().number() + " on " + e.on() + because(e.because());
            case Event.AttemptRunning e -> "run " + e.attempt().number() + " is running";
            case Event.AttemptStopping e -> e.cause().detail();
            case Event.TaskIdle e -> use(e);
            case Event.StartRefused e -> refused(e);
            case Event.AvoidanceEnded e -> "may be placed on node " + e.node() + " again";
            case Event.JobRequeued e -> "back in the queue: " + e.reason();
            case Event.JobEnded e -> ending(e.outcome());
            default -> "";
        };
    }

    private static String refused(Event.StartRefused e) {
        String what = "node " + e.node() + " refused to start the job: " + e.reason();
        Instant until = e.avoidUntil();
        return until == null
                ? what
                : what + "; the job avoids it until " + until.truncatedTo(ChronoUnit.SECONDS);
    }

    private static String use(Event.TaskIdle turn) {
        String task = "task " + turn.rank() + " of run " + turn.attempt().number();
        Instant since = turn.since();
        return since == null
                ? task + " uses its GPUs again"
                : task + " uses none of its GPUs since " + since.truncatedTo(ChronoUnit.SECONDS);
    }

    private static String because(String reason) {
        return reason.isEmpty() ? "" : ": " + Victims.unnamed(reason);
    }

    private static String result(Outcome outcome) {
        return switch (outcome.result()) {
            case COMPLETED -> "completed";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
        };
    }

    private static String ending(Outcome outcome) {
        String code = outcome.exitCode() < 0 ? "" : " (exit code " + outcome.exitCode() + ")";
        return outcome.reason() + code;
    }
}
