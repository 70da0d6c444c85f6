package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.GATEWAYS;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.server.history.PoolHistoryReader;
import io.gpusched.server.intake.ManifestIntake;
import io.gpusched.server.intake.PoolIntake;
import io.gpusched.server.view.ReasonSource;
import io.gpusched.server.view.StartTimes;

import java.util.List;

/// Routes for pools, the models that they serve, their classes, the bindings of queues, and
/// manifests.
public final class PoolRoutes {
    private PoolRoutes() {}

    public static List<Route> of(
            HandlerContext context,
            PoolIntake intake,
            ManifestIntake manifests,
            PoolHistoryReader history,
            StartTimes startTimes) {
        var reasons =
                new ReasonSource(
                        context.views, context.follower.latestTurns(), startTimes, context.clock);
        var pools = new PoolHandlers(context, intake);
        var explain = new PoolExplainHandler(context, pools, reasons);
        var past = new PoolHistoryHandler(pools, history, context.clock);
        var models = new ServedModelHandlers(context, intake);
        var classes = new AgentClassHandlers(context);
        var bindings = new BindingHandlers(context, intake);
        var apply = new ApplyHandler(context, manifests);
        return List.of(
                new Route("GET", "/api/v1/pools", GATEWAYS, pools::list),
                new Route("GET", "/api/v1/pools/{name}", GATEWAYS, pools::show),
                new Route("PUT", "/api/v1/pools/{name}", MEMBERS, pools::put),
                new Route("PATCH", "/api/v1/pools/{name}", MEMBERS, pools::change),
                new Route("DELETE", "/api/v1/pools/{name}", MEMBERS, pools::remove),
                new Route("POST", "/api/v1/pools/{name}/scale", MEMBERS, pools::scale),
                new Route("POST", "/api/v1/pools/{name}/load", GATEWAYS, pools::load),
                new Route("GET", "/api/v1/pools/{name}/explain", MEMBERS, explain::explain),
                new Route("GET", "/api/v1/pools/{name}/history", MEMBERS, past::show),
                new Route("POST", "/v1/scale", MEMBERS, pools::scaleNamed),
                new Route("GET", "/api/v1/models", GATEWAYS, models::list),
                new Route("GET", "/api/v1/models/{name}", GATEWAYS, models::show),
                new Route("PUT", "/api/v1/models/{name}", ADMIN, models::put),
                new Route("DELETE", "/api/v1/models/{name}", ADMIN, models::remove),
                new Route("GET", "/api/v1/classes", MEMBERS, classes::list),
                new Route("GET", "/api/v1/classes/{name}", MEMBERS, classes::show),
                new Route("DELETE", "/api/v1/classes/{name}", MEMBERS, classes::remove),
                new Route("GET", "/api/v1/bindings", GATEWAYS, bindings::list),
                new Route("GET", "/api/v1/bindings/{name}", GATEWAYS, bindings::show),
                new Route("PUT", "/api/v1/bindings/{name}", MEMBERS, bindings::put),
                new Route("DELETE", "/api/v1/bindings/{name}", MEMBERS, bindings::remove),
                new Route("POST", "/api/v1/apply", MEMBERS, apply::apply));
    }
}
