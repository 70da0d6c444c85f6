package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.policy.PolicyControl;

import java.util.List;

/// Routes for the policy in force and the events of the scheduler.
public final class PolicyRoutes {
    private PolicyRoutes() {}

    /// @param settings of the policy in force
    public static List<Route> of(
            HandlerContext context, PolicyControl policyControl, PolicySettings settings) {
        var policy = new PolicyHandlers(policyControl, settings, context.bodies, context.sender);
        return List.of(
                new Route("GET", "/api/v1/policy", MEMBERS, policy::show),
                new Route("PUT", "/api/v1/policy", ADMIN, policy::put),
                new Route("POST", "/api/v1/shadow/promote", ADMIN, policy::promote));
    }
}
