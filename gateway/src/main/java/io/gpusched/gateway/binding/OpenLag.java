package io.gpusched.gateway.binding;

import org.jspecify.annotations.Nullable;

/// The connection of a watch, opened at the first use. After it was closed it is not opened again:
/// a reading that was given up while it still connected closes what it opened.
final class OpenLag {
    /// Connects to the queue.
    interface Opener {
        QueueLag open() throws LagProblem, InterruptedException;
    }

    private @Nullable QueueLag lag;
    private boolean closed;

    /// Only one thread at a time calls this.
    QueueLag use(Opener opener) throws LagProblem, InterruptedException {
        QueueLag known = known();
        return known == null ? keep(opener.open()) : known;
    }

    private synchronized @Nullable QueueLag known() {
        return lag;
    }

    private QueueLag keep(QueueLag opened) throws LagProblem {
        synchronized (this) {
            if (!closed) {
                lag = opened;
                return opened;
            }
        }
        opened.close();
        throw LagProblem.late();
    }

    void close() {
        QueueLag old;
        synchronized (this) {
            closed = true;
            old = lag;
            lag = null;
        }
        if (old != null) {
            old.close();
        }
    }
}
