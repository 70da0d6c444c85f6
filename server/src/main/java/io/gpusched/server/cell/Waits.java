package io.gpusched.server.cell;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// All who wait for an answer. Now and then somebody has to call [#giveUpOld].
final class Waits {
    private final Set<Wait> present = ConcurrentHashMap.newKeySet();
    private final Duration patience;

    Waits(Duration patience) {
        this.patience = patience;
    }

    Wait begin() {
        var wait = new Wait();
        present.add(wait);
        return wait;
    }

    void end(Wait wait) {
        present.remove(wait);
    }

    /// Wakes those whose patience is over.
    void giveUpOld() {
        for (Wait wait : present) {
            if (wait.waitedNanos() > patience.toNanos()) {
                wait.giveUp();
            }
        }
    }

    /// Wakes everybody.
    void giveUpAll() {
        present.forEach(Wait::giveUp);
    }
}
