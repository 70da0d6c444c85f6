package io.gpusched.server.cell;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// All who wait for an answer. Now and then somebody has to call [#giveUpOld].
final class PendingAnswers {
    private final Set<PendingAnswer> present = ConcurrentHashMap.newKeySet();
    private final Duration patience;

    PendingAnswers(Duration patience) {
        this.patience = patience;
    }

    PendingAnswer begin() {
        var pendingAnswer = new PendingAnswer();
        present.add(pendingAnswer);
        return pendingAnswer;
    }

    void end(PendingAnswer pendingAnswer) {
        present.remove(pendingAnswer);
    }

    /// Wakes those whose patience is over.
    void giveUpOld() {
        for (PendingAnswer pendingAnswer : present) {
            if (pendingAnswer.waitedNanos() > patience.toNanos()) {
                pendingAnswer.giveUp();
            }
        }
    }

    /// Wakes everybody.
    void giveUpAll() {
        present.forEach(PendingAnswer::giveUp);
    }
}
