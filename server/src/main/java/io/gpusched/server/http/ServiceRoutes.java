package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ANYBODY;

import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.server.cell.Liveness;

import java.util.List;

/// Routes about the service itself: health checks, the OpenAPI document, and the start page.
public final class ServiceRoutes {
    private ServiceRoutes() {}

    /// @param retention number of pairs of job and GPU that the model keeps
    public static List<Route> of(
            Liveness liveness, String version, ScoreSettings scoreSettings, long retention) {
        var health = new HealthHandlers(liveness);
        var about = new AboutHandlers(version, scoreSettings, retention);
        return List.of(
                new Route("GET", "/api/v1/health", ANYBODY, health::healthy),
                new Route("GET", "/health", ANYBODY, health::healthy),
                new Route("GET", "/healthz", ANYBODY, health::healthy),
                new Route("GET", "/readyz", ANYBODY, health::ready),
                new Route("GET", "/openapi.json", ANYBODY, about::openApi),
                new Route("GET", "/", ANYBODY, about::service));
    }
}
