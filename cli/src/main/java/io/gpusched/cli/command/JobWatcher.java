package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Unreachable;

import java.time.Duration;

/// Watches one job until it ends.
///
/// Polls often at first, so that short jobs are noticed at once, then every two seconds. A server
/// that restarts meanwhile is retried for ten minutes. A server that is unreachable at the first
/// request is not retried: the address is probably wrong.
final class JobWatcher {
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final Duration PATIENT_READER = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final CliSession cliSession;
    private final Duration limit;
    private final long start;
    private Duration pause = Duration.ofMillis(100);
    private String state = "";
    private String why = "";
    private String failure = "";

    /// Whether the job is being stopped because it was cancelled.
    private boolean cancelled;

    private long toldAt;

    /// @param limit how long to wait; zero means without limit
    JobWatcher(CliSession cliSession, Duration limit) {
        this.cliSession = cliSession;
        this.limit = limit;
        this.start = cliSession.pollingClock().nanos();
    }

    /// The job when it ended, or when the limit expired.
    Json untilEnded(String id) {
        try (var _ = cliSession.pollingClock().whenInterrupted(() -> printStopHint(id))) {
            return watched(id);
        }
    }

    private void printStopHint(String id) {
        String how =
                cancelled
                        ? " is being stopped"
                        : " continues to run or wait. To stop it: gpu-cli cancel " + id;
        cliSession.printer().remark("gpu-cli: no longer waiting; " + id + how);
    }

    private Json watched(String id) {
        Json job = cliSession.job(id);
        report(id, job);
        while (!ExitStatus.hasEnded(job)
                && timeLeft()
                && cliSession.pollingClock().pause(atMost(pause))) {
            pause = longer();
            job = poll(id, job);
            report(id, job);
        }
        return job;
    }

    private boolean timeLeft() {
        return limit.isZero() || since(start).compareTo(limit) < 0;
    }

    private Duration atMost(Duration pause) {
        Duration left = limit.minus(since(start));
        return !limit.isZero() && left.compareTo(pause) < 0 ? left : pause;
    }

    private Duration since(long moment) {
        return Duration.ofNanos(cliSession.pollingClock().nanos() - moment);
    }

    private Duration longer() {
        Duration next = pause.multipliedBy(3).dividedBy(2);
        return next.compareTo(LONGEST) > 0 ? LONGEST : next;
    }

    /// The job as it is now; while the server is unreachable, as it was.
    private Json poll(String id, Json before) {
        long lost = cliSession.pollingClock().nanos();
        boolean reported = false;
        while (true) {
            try {
                return cliSession.job(id);
            } catch (Unreachable | RequestRefused away) {
                boolean passes =
                        away instanceof Unreachable || ((RequestRefused) away).isTemporary();
                if (!passes || since(lost).compareTo(PATIENCE) > 0) {
                    throw away;
                }
                if (!reported) {
                    cliSession.printer().remark("gpu-cli: " + away.getMessage() + "; still trying");
                    reported = true;
                }
                if (!timeLeft() || !cliSession.pollingClock().pause(atMost(LONGEST))) {
                    return before;
                }
            }
        }
    }

    /// Prints a new state at once, and a new reason for waiting less often.
    private void report(String id, Json job) {
        cancelled = job.at("stop_cause").text().equals("cancelled");
        String now = ExitStatus.stateOf(job);
        String because = because(now, job);
        boolean news = !now.equals(state) || !job.at("last_failure").text().equals(failure);
        boolean otherReason = !because.equals(why) && since(toldAt).compareTo(PATIENT_READER) >= 0;
        if (news || otherReason) {
            String node = job.at("node_name").text();
            cliSession
                    .printer()
                    .remark(
                            id
                                    + ": "
                                    + now
                                    + (node.isEmpty() ? "" : " on " + node)
                                    + (because.isEmpty() ? "" : " (" + because + ")"));
            state = now;
            why = because;
            failure = job.at("last_failure").text();
            toldAt = cliSession.pollingClock().nanos();
        }
    }

    /// For a waiting job, what it waits for. For other jobs, the reason of their state, if it says
    /// more than the state.
    private static String because(String state, Json job) {
        String reason = job.at("reason").text();
        if (ExitStatus.isWaiting(job)) {
            String failure = job.at("last_failure").text();
            String message = job.at("message").text();
            String waits = message.isEmpty() ? reason : message;
            return failure.isEmpty() ? waits : "last run: " + failure + "; " + waits;
        }
        return reason.equals(state) ? "" : reason;
    }
}
