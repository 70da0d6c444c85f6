package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.server.live.EventFeed;
import io.gpusched.server.policy.PolicyControl;

import java.util.List;

/// Routes for live events.
public final class EventRoutes {
    private EventRoutes() {}

    public static List<Route> of(EventFeed feed, ListenerLimit limit, PolicyControl policyControl) {
        var events = new EventHandlers(feed, limit, policyControl);
        return List.of(
                new Route("GET", "/api/v1/events", MEMBERS, events::events),
                new Route("GET", EventSocketUpgrade.PATH, MEMBERS, events::notASocket));
    }
}
