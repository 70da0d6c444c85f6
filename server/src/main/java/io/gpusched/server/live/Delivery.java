package io.gpusched.server.live;

import java.util.List;

/// What a listener receives next.
public sealed interface Delivery {
    /// @param events in order, at least one
    record Events(List<LiveEvent> events) implements Delivery {
        public Events {
            events = List.copyOf(events);
        }
    }

    /// Nothing happened that the listener asked for.
    ///
    /// @param upTo the listener knows everything up to here
    record Quiet(EventId upTo) implements Delivery {}

    /// Events were left out: the listener must read the state again and continues after `newest`.
    record Resync(String reason, EventId newest) implements Delivery {}

    /// No more events.
    record Closed(String reason) implements Delivery {}
}
