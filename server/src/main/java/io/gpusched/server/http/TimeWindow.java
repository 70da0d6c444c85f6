package io.gpusched.server.http;

import java.time.Duration;
import java.time.Instant;

/// The parameters `from` and `to` of a request about the past.
record TimeWindow(Instant from, Instant to) {
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /// @param usual how far back it goes where `from` is absent
    static TimeWindow of(Request request, Instant now, Duration usual) {
        Instant to = request.time("to", now);
        Instant from = request.time("from", to.isBefore(Instant.EPOCH) ? to : to.minus(usual));
        if (!from.isBefore(to)) {
            throw HttpError.invalid(
                    "from",
                    "from is %s and to is %s".formatted(from, to),
                    "write a from that is earlier than to; to is now if it is absent");
        }
        return new TimeWindow(from, to);
    }

    /// The nearest time that a database can hold.
    static Instant storable(Instant time) {
        return time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(LATEST) ? LATEST : time;
    }
}
