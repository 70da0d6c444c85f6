package io.gpusched.server.metrics;

import io.gpusched.server.live.EventFeed;
import io.micrometer.core.instrument.FunctionCounter;

import java.util.function.ToDoubleFunction;

/// Metrics of the listeners of live events.
public final class EventMeters {
    private EventMeters() {}

    public static void add(Meters meters, EventFeed feed) {
        meters.gauge(
                "gpu_scheduler_event_listeners",
                "Listeners of live events that are connected.",
                feed::listening);
        meters.gauge(
                "gpu_scheduler_event_lag_seconds",
                "How long the slowest listener has not taken events that wait for it.",
                feed::lagSeconds);
        counter(
                meters,
                feed,
                "gpu_scheduler_events_sent",
                "Events that were passed to listeners.",
                EventFeed::sent);
        counter(
                meters,
                feed,
                "gpu_scheduler_event_resyncs",
                "Times that a listener was too far behind and had to read the state again.",
                EventFeed::resyncs);
    }

    private static void counter(
            Meters meters,
            EventFeed feed,
            String name,
            String description,
            ToDoubleFunction<EventFeed> figure) {
        FunctionCounter.builder(name, feed, figure)
                .description(description)
                .register(meters.registry());
    }
}
