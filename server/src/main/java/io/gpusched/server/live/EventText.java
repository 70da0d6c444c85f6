package io.gpusched.server.live;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.RequeueCause;
import io.gpusched.core.policy.VictimList;
import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.server.policy.PolicyInForce;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Describes the events of a job or of the scheduler in sentences, for the event lists of the API.
public final class EventText {
    private static final Pattern TERM =
            Pattern.compile("( ?)([^ =]+)=([0-9]+)‰(?:×([0-9]+(?:\\.[0-9]+)?))?");

    private EventText() {}

    /// The kind of an event in the history of a job or of the policy.
    public static String kind(Event event) {
        EventKind kind = jobKind(event);
        return kind != null
                ? kind.text()
                : event instanceof Event.PolicyChanged
                        ? EventKind.POLICY.text()
                        : event.getClass().getSimpleName();
    }

    /// The kind of an event in the history of a job; null for other events.
    static @Nullable EventKind jobKind(Event event) {
        return switch (event) {
            case Event.JobSubmitted e -> EventKind.SUBMITTED;
            case Event.JobUpdated e -> EventKind.UPDATED;
            case Event.JobHeld e -> EventKind.HELD;
            case Event.JobReleased e -> EventKind.RELEASED;
            case Event.AttemptPlaced e -> EventKind.SCHEDULED;
            case Event.AttemptRunning e -> EventKind.RUNNING;
            case Event.AttemptStopping e -> EventKind.STOPPING;
            case Event.TaskIdle e -> e.since() == null ? EventKind.BUSY : EventKind.IDLE;
            case Event.StartRefused e -> EventKind.REFUSED;
            case Event.AvoidanceEnded e -> EventKind.RECONSIDERED;
            case Event.CapacityChosen e -> EventKind.CAPACITY_CHOSEN;
            case Event.JobRequeued e ->
                    e.requeueCause().kind() == RequeueCause.Kind.PREEMPTED
                            ? EventKind.PREEMPTED
                            : EventKind.REQUEUED;
            case Event.JobEnded e ->
                    switch (e.outcome().result()) {
                        case COMPLETED -> EventKind.COMPLETED;
                        case FAILED -> EventKind.FAILED;
                        case CANCELLED -> EventKind.CANCELLED;
                    };
            default -> null;
        };
    }

    public static String message(Event event) {
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
            case Event.CapacityChosen e -> chosen(e.choice());
            case Event.JobRequeued e -> "back in the queue: " + e.reason();
            case Event.JobEnded e -> ending(e.outcome());
            default -> "";
        };
    }

    /// @param before the policy before; empty where that is not known
    public static String policyChanged(Event.PolicyChanged e, String before) {
        return e.policy()
                + (before.isEmpty() || before.equals(e.policy()) ? "" : " in place of " + before)
                + " by "
                + PolicyInForce.author(e)
                + (e.reason().isEmpty() ? "" : ": " + e.reason());
    }

    private static String chosen(CapacityChoice choice) {
        return switch (choice.choice()) {
                    case SPOT -> "is to run on spot capacity: ";
                    case ON_DEMAND -> "is to run on demand: ";
                    case WAIT -> "is to wait for spot capacity: ";
                }
                + choice.reason();
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
        return reason.isEmpty() ? "" : ": " + terms(VictimList.unnamed(reason));
    }

    /// `lowest cost: availability 0.12 (weight 30), best-fit 0.7` for what the journal writes as
    /// `availability=120‰×30 best-fit=700‰×1`; the rest of the text stays.
    private static String terms(String reason) {
        Matcher term = TERM.matcher(reason);
        var words = new StringBuilder();
        boolean first = true;
        while (term.find()) {
            String weight = term.group(4) == null ? "1" : term.group(4);
            String cost =
                    BigDecimal.valueOf(Long.parseLong(term.group(3)), 3)
                            .stripTrailingZeros()
                            .toPlainString();
            term.appendReplacement(
                    words,
                    Matcher.quoteReplacement(
                            (first ? term.group(1) + "lowest cost: " : ", ")
                                    + term.group(2)
                                    + " "
                                    + cost
                                    + (weight.equals("1") ? "" : " (weight " + weight + ")")));
            first = false;
        }
        return term.appendTail(words).toString();
    }

    private static String ending(Outcome outcome) {
        String code = outcome.exitCode() < 0 ? "" : " (exit code " + outcome.exitCode() + ")";
        return outcome.reason() + code;
    }
}
