package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.server.auth.Tokens;
import io.gpusched.server.intake.TenantIntake;

import java.util.List;

/// Routes for tenants and for tokens: those of tenants, of agents and of gateways.
public final class TenantRoutes {
    private TenantRoutes() {}

    /// @param memoryPerGpu whether quotas count GPU memory for every GPU
    public static List<Route> of(
            HandlerContext context, TenantIntake intake, Tokens known, boolean memoryPerGpu) {
        var tenants =
                new TenantHandlers(
                        context.views,
                        context.lookups,
                        intake,
                        context.bodies,
                        context.sender,
                        known,
                        memoryPerGpu);
        var tokens = new TokenHandlers(context.lookups, known);
        return List.of(
                new Route("GET", "/api/v1/tenants", MEMBERS, tenants::list),
                new Route("POST", "/api/v1/tenants", ADMIN, tenants::create),
                new Route("GET", "/api/v1/tenants/{id}", MEMBERS, tenants::show),
                new Route("PATCH", "/api/v1/tenants/{id}", ADMIN, tenants::change),
                new Route("DELETE", "/api/v1/tenants/{id}", ADMIN, tenants::remove),
                new Route("POST", "/api/v1/tenants/{id}/tokens", ADMIN, tokens::make),
                new Route("GET", "/api/v1/tenants/{id}/tokens", ADMIN, tokens::list),
                new Route("DELETE", "/api/v1/tenants/{id}/tokens", ADMIN, tokens::revoke),
                new Route("DELETE", "/api/v1/tenants/{id}/tokens/{token}", ADMIN, tokens::revoke),
                new Route("POST", "/api/v1/agents/tokens", ADMIN, tokens::makeJoin),
                new Route("GET", "/api/v1/agents/tokens", ADMIN, tokens::listJoin),
                new Route("DELETE", "/api/v1/agents/tokens/{token}", ADMIN, tokens::revokeJoin),
                new Route("POST", "/api/v1/gateways/tokens", ADMIN, tokens::makeGateway),
                new Route("GET", "/api/v1/gateways/tokens", ADMIN, tokens::listGateway),
                new Route(
                        "DELETE", "/api/v1/gateways/tokens/{token}", ADMIN, tokens::revokeGateway));
    }
}
