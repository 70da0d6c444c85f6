package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.MEMBERS;
import static io.gpusched.server.http.Route.Audience.SELF;

import io.gpusched.core.model.TopologyLevels;
import io.gpusched.server.history.HistoryReader;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.PastRuns;

import java.util.List;

/// Routes that show the cluster as a picture, for the web page: who asks, every GPU
/// at once, figures over time, and past runs.
public final class OverviewRoutes {
    private OverviewRoutes() {}

    /// What the routes show.
    ///
    /// @param levels how the fleet is divided into zones and racks
    public record Sources(
            LatestReadings readings, TopologyLevels levels, HistoryReader history, PastRuns runs) {}

    /// @param auth whether this server asks for tokens
    public static List<Route> of(
            HandlerContext context, Sources sources, boolean auth, String version) {
        var whoami = new WhoamiHandler(auth, version);
        var fleet =
                new FleetHandler(
                        new FleetPictures(
                                context.views, sources.readings, sources.levels, context.clock));
        var charts = new HistoryHandlers(sources.history, context.views, context.clock);
        var runs = new RunsHandler(sources.runs, context.clock);
        return List.of(
                new Route("GET", "/api/v1/whoami", SELF, whoami::show),
                new Route("GET", "/api/v1/fleet", MEMBERS, fleet::show),
                new Route("GET", "/api/v1/history", MEMBERS, charts::show),
                new Route("GET", "/api/v1/history/tenants", MEMBERS, charts::tenants),
                new Route("GET", "/api/v1/runs", MEMBERS, runs::list));
    }
}
