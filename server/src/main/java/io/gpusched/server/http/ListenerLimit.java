package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;
import io.gpusched.server.live.EventFeed;

/// How many listeners there may be, so that listeners, whose connections stay open, cannot keep
/// other requests out: half of the REST port's connections, and a quarter of that for one caller.
///
/// @param most largest number of listeners
public record ListenerLimit(EventFeed feed, int most) {
    private static final int LEAST_OF_ONE = 8;

    /// @param connections how many connections the REST port may hold
    public static ListenerLimit of(EventFeed feed, int connections) {
        return new ListenerLimit(feed, connections / 2);
    }

    /// Throws an [HttpError] if there is no room for another listener of the caller.
    void check(Caller caller) {
        if (feed.listening() >= most) {
            throw HttpError.notReady(
                    "%d listeners are connected, and no more are allowed".formatted(most),
                    "retry later, or raise the limit of open files (ulimit -n) of the server");
        }
        int mostOfOne = mostOfOne();
        if (!caller.isAdmin() && feed.listening(caller.label()) >= mostOfOne) {
            throw HttpError.busy(
                    "this token has %d listeners already".formatted(mostOfOne),
                    "close one of them, or listen with another token");
        }
    }

    private int mostOfOne() {
        return Math.max(LEAST_OF_ONE, most / 4);
    }
}
