package io.gpusched.server.http;

import java.util.concurrent.Semaphore;

/// Limits the bytes of request bodies that are in memory at a time, over all connections of a port.
/// A body that does not fit is refused before it is read.
final class BodyBudget {
    private static final long UNIT = 1024;

    private final int all;
    private final Semaphore units;

    BodyBudget(long bytes) {
        this.all = units(bytes);
        this.units = new Semaphore(all);
    }

    /// For bodies of at most `mostBytes` in a heap of this size.
    static BodyBudget inHeap(int mostBytes, long heap) {
        return new BodyBudget(Math.max(2L * mostBytes, heap / 16));
    }

    /// Reserves memory for a body. Close the reservation when the body is no longer needed.
    Reservation take(long bytes) {
        int wanted = Math.min(all, units(bytes));
        if (!units.tryAcquire(wanted)) {
            throw HttpError.notReady(
                    "the server has no memory left for another large request",
                    "send this request again in a moment");
        }
        return new Reservation(this, wanted);
    }

    private static int units(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes / UNIT + 1);
    }

    record Reservation(BodyBudget of, int units) implements AutoCloseable {
        @Override
        public void close() {
            of.units.release(units);
        }
    }
}
