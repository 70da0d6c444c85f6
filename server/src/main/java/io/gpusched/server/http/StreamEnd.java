package io.gpusched.server.http;

import java.util.Locale;

/// Why the server ends a stream of live events, in a form that programs can read.
enum StreamEnd {
    /// The caller's token is no longer valid: connecting again with it is of no use.
    REVOKED,

    /// The server shuts down: connect again and continue.
    STOPPING,

    /// The first frame of a WebSocket was not accepted: send another one.
    REFUSED;

    /// As the last message of a stream writes it: `revoked`.
    String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
