package io.gpusched.server.cell;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// All requests that wait for an answer. [#giveUpOld] must be called regularly: it enforces the
/// timeout.
final class PendingAnswers {
    private final Set<PendingAnswer> present = ConcurrentHashMap.newKeySet();
    private final Duration timeout;

    PendingAnswers(Duration timeout) {
        this.timeout = timeout;
    }

    PendingAnswer begin() {
        var pendingAnswer = new PendingAnswer();
        present.add(pendingAnswer);
        return pendingAnswer;
    }

    void end(PendingAnswer pendingAnswer) {
        present.remove(pendingAnswer);
    }

    /// Ends the waits that have exceeded the timeout.
    void giveUpOld() {
        for (PendingAnswer pendingAnswer : present) {
            if (pendingAnswer.waitedNanos() > timeout.toNanos()) {
                pendingAnswer.giveUp();
            }
        }
    }

    /// Ends all waits.
    void giveUpAll() {
        present.forEach(PendingAnswer::giveUp);
    }
}
