package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.server.alert.AlertWatch;
import io.gpusched.server.webhook.Webhooks;

import java.util.List;

/// Routes for alerts and their webhooks.
public final class AlertRoutes {
    private AlertRoutes() {}

    public static List<Route> of(HandlerContext context, AlertWatch watch, Webhooks webhooks) {
        var alerts = new AlertHandlers(watch, webhooks, context.bodies);
        return List.of(
                new Route("GET", "/api/v1/alerts", MEMBERS, alerts::list),
                new Route("POST", "/api/v1/alerts/test", ADMIN, alerts::test),
                new Route("POST", "/api/v1/alerts/{id}/silence", ADMIN, alerts::silence),
                new Route("DELETE", "/api/v1/alerts/{id}/silence", ADMIN, alerts::endSilence));
    }
}
