package io.gpusched.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/// The parts of a server that must be closed, in the order in which they were made.
///
/// [#close] closes them in the opposite order. It also serves a start that fails halfway: only the
/// parts that were made until then are closed.
final class ShutdownOrder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownOrder.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /// Adds a part, which is closed before every part added earlier. Returns the part.
    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /// Runs a start. If it fails with an exception or an error, closes the parts that were made
    /// until then and throws the failure.
    <T> T closeOnFailure(Supplier<T> start) {
        try {
            return start.get();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /// Closes every part. A part that fails to close is logged, and the next one is closed.
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close cleanly", part.getClass().getSimpleName(), e);
            }
        }
    }
}
