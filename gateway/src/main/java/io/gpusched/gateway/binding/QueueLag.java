package io.gpusched.gateway.binding;

/// A connection to one queue that tells how many of its messages are not done yet.
///
/// One thread uses it. After a problem it is closed and another one is opened, so an implementation
/// need not recover by itself.
interface QueueLag extends AutoCloseable {
    /// More messages than any queue has. A number above it is an error of the server or of the
    /// query, and must not start replicas.
    long MOST = 1_000_000_000_000L;

    /// The messages that wait now, and where the server tells it also those that were delivered and
    /// not acknowledged.
    long depth() throws LagProblem, InterruptedException;

    /// Ends the connection; never fails.
    @Override
    void close();

    /// The number, if a queue can have so many messages.
    static long plausible(long depth) throws LagProblem {
        if (depth < 0 || depth > MOST) {
            throw new LagProblem(
                    "the server gave an impossible number of messages; expected 0 to " + MOST);
        }
        return depth;
    }
}
