package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.whatif.ScalerShadow;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.server.whatif.WhatIfService;

import java.util.List;

/// Routes for what-if replays of the journal, for the shadow policy, and for scaling laws in the
/// shadow of a pool.
public final class WhatIfRoutes {
    private WhatIfRoutes() {}

    /// @param settings of the policy in force
    public static List<Route> of(
            HandlerContext context,
            WhatIfService service,
            ShadowPolicy shadowPolicy,
            ScalerShadow scalerShadow,
            PolicySettings settings) {
        var whatIf = new WhatIfHandlers(service, shadowPolicy, settings, context.bodies);
        var pools = new PoolShadowHandler(context, scalerShadow);
        return List.of(
                new Route("POST", "/api/v1/what-if", ADMIN, whatIf::ask),
                new Route("GET", "/api/v1/what-if", ADMIN, whatIf::list),
                new Route("GET", "/api/v1/what-if/{id}", ADMIN, whatIf::show),
                new Route("DELETE", "/api/v1/what-if/{id}", ADMIN, whatIf::drop),
                new Route("GET", "/api/v1/shadow", ADMIN, whatIf::shadow),
                new Route("GET", "/api/v1/pools/{name}/shadow", MEMBERS, pools::show));
    }
}
