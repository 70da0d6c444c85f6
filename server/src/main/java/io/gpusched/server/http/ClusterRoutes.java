package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.core.model.FairShareSettings;
import io.gpusched.server.agents.AgentPresence;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.view.LatestReadings;

import java.util.List;

/// Routes for nodes and for the cluster as a whole: status, fair share, idle GPUs, markets, carbon
/// and defragmentation.
public final class ClusterRoutes {
    private ClusterRoutes() {}

    public static List<Route> of(
            HandlerContext context,
            LatestReadings readings,
            AgentPresence presence,
            IdleWatch idleWatch,
            FairShareSettings fairShareSettings) {
        var nodes =
                new NodeHandlers(
                        context.views,
                        context.lookups,
                        context.callerTexts,
                        readings,
                        presence,
                        context.bodies,
                        context.sender);
        var cluster = new ClusterHandler(context.views);
        var fairShare = new FairShareHandler(context.follower, fairShareSettings, context.clock);
        var idle = new IdleHandler(idleWatch, context.views, context.clock);
        var markets = new MarketHandlers(context.follower, context.bodies, context.sender);
        var carbon = new CarbonHandlers(context);
        var defrag = new DefragHandlers(context.follower, context.clock);
        return List.of(
                new Route("GET", "/api/v1/nodes", MEMBERS, nodes::list),
                new Route("GET", "/api/v1/nodes/{id}", MEMBERS, nodes::show),
                new Route("DELETE", "/api/v1/nodes/{id}", ADMIN, nodes::remove),
                new Route("POST", "/api/v1/nodes/{id}/cordon", ADMIN, nodes::cordon),
                new Route("POST", "/api/v1/nodes/{id}/uncordon", ADMIN, nodes::uncordon),
                new Route("POST", "/api/v1/nodes/{id}/drain", ADMIN, nodes::drain),
                new Route("POST", "/api/v1/nodes/{id}/lost", ADMIN, nodes::declareLost),
                new Route("GET", "/api/v1/cluster/status", MEMBERS, cluster::status),
                new Route("GET", "/api/v1/fairshare", MEMBERS, fairShare::show),
                new Route("GET", "/api/v1/idle", MEMBERS, idle::show),
                new Route("GET", "/api/v1/markets", MEMBERS, markets::list),
                new Route("PUT", "/api/v1/markets", ADMIN, markets::put),
                new Route("GET", "/api/v1/carbon", MEMBERS, carbon::list),
                new Route("GET", "/api/v1/carbon/{region}", MEMBERS, carbon::show),
                new Route("PUT", "/api/v1/carbon/{region}", ADMIN, carbon::put),
                new Route("DELETE", "/api/v1/carbon/{region}", ADMIN, carbon::remove),
                new Route("GET", "/api/v1/defrag", ADMIN, defrag::defragment));
    }
}
