package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.ANYBODY;
import static io.gpusched.server.http.Route.Audience.MEMBERS;

import java.util.List;

/// Every route of the REST port. `openapi.json` describes the same ones; a test compares them.
final class Routes {
    private Routes() {}

    /// The classes that answer.
    record Handlers(
            SubmissionHandler submissionHandler,
            JobHandlers jobs,
            JobHistoryHandlers stories,
            JobLogHandler logs,
            TenantHandlers tenants,
            TokenHandlers tokens,
            NodeHandlers nodes,
            ClusterHandler cluster,
            FairShareHandler fairShare,
            IdleHandler idle,
            DefragHandlers advice,
            MarketHandlers markets,
            WhatIfHandlers whatIf,
            HealthHandlers health,
            ScoreHandlers scores,
            ModelHandlers model,
            AboutHandlers about) {}

    static List<Route> of(Handlers on) {
        return List.of(
                new Route("POST", "/api/v1/jobs", MEMBERS, on.submissionHandler::submit),
                new Route("GET", "/api/v1/jobs", MEMBERS, on.jobs::list),
                new Route("GET", "/api/v1/jobs/{id}", MEMBERS, on.jobs::show),
                new Route("DELETE", "/api/v1/jobs/{id}", MEMBERS, on.jobs::cancel),
                new Route("PATCH", "/api/v1/jobs/{id}", MEMBERS, on.jobs::change),
                new Route("POST", "/api/v1/jobs/{id}/hold", MEMBERS, on.jobs::hold),
                new Route("POST", "/api/v1/jobs/{id}/release", MEMBERS, on.jobs::release),
                new Route("GET", "/api/v1/jobs/{id}/explain", MEMBERS, on.stories::explain),
                new Route("GET", "/api/v1/jobs/{id}/events", MEMBERS, on.stories::events),
                new Route("GET", "/api/v1/jobs/{id}/logs", MEMBERS, on.logs::show),
                new Route("GET", "/api/v1/tenants", MEMBERS, on.tenants::list),
                new Route("POST", "/api/v1/tenants", ADMIN, on.tenants::create),
                new Route("GET", "/api/v1/tenants/{id}", MEMBERS, on.tenants::show),
                new Route("PATCH", "/api/v1/tenants/{id}", ADMIN, on.tenants::change),
                new Route("DELETE", "/api/v1/tenants/{id}", ADMIN, on.tenants::remove),
                new Route("POST", "/api/v1/tenants/{id}/tokens", ADMIN, on.tokens::make),
                new Route("GET", "/api/v1/tenants/{id}/tokens", ADMIN, on.tokens::list),
                new Route("DELETE", "/api/v1/tenants/{id}/tokens", ADMIN, on.tokens::revoke),
                new Route(
                        "DELETE", "/api/v1/tenants/{id}/tokens/{token}", ADMIN, on.tokens::revoke),
                new Route("POST", "/api/v1/agents/tokens", ADMIN, on.tokens::makeJoin),
                new Route("GET", "/api/v1/agents/tokens", ADMIN, on.tokens::listJoin),
                new Route("DELETE", "/api/v1/agents/tokens/{token}", ADMIN, on.tokens::revokeJoin),
                new Route("GET", "/api/v1/nodes", MEMBERS, on.nodes::list),
                new Route("GET", "/api/v1/nodes/{id}", MEMBERS, on.nodes::show),
                new Route("DELETE", "/api/v1/nodes/{id}", ADMIN, on.nodes::remove),
                new Route("POST", "/api/v1/nodes/{id}/cordon", ADMIN, on.nodes::cordon),
                new Route("POST", "/api/v1/nodes/{id}/uncordon", ADMIN, on.nodes::uncordon),
                new Route("POST", "/api/v1/nodes/{id}/drain", ADMIN, on.nodes::drain),
                new Route("GET", "/api/v1/cluster/status", MEMBERS, on.cluster::status),
                new Route("GET", "/api/v1/fairshare", MEMBERS, on.fairShare::show),
                new Route("GET", "/api/v1/idle", MEMBERS, on.idle::show),
                new Route("GET", "/api/v1/markets", MEMBERS, on.markets::list),
                new Route("PUT", "/api/v1/markets", ADMIN, on.markets::put),
                new Route("GET", "/api/v1/defrag", ADMIN, on.advice::defragment),
                new Route("GET", "/api/v1/model", ADMIN, on.model::show),
                new Route("POST", "/api/v1/what-if", ADMIN, on.whatIf::ask),
                new Route("GET", "/api/v1/what-if", ADMIN, on.whatIf::list),
                new Route("GET", "/api/v1/what-if/{id}", ADMIN, on.whatIf::show),
                new Route("DELETE", "/api/v1/what-if/{id}", ADMIN, on.whatIf::drop),
                new Route("GET", "/api/v1/shadow", ADMIN, on.whatIf::shadow),
                new Route("POST", "/api/v1/model", ADMIN, on.model::take),
                new Route("POST", "/v1/score", MEMBERS, on.scores::score),
                new Route("POST", "/v1/observe", ADMIN, on.scores::observe),
                new Route("GET", "/api/v1/health", ANYBODY, on.health::healthy),
                new Route("GET", "/health", ANYBODY, on.health::healthy),
                new Route("GET", "/healthz", ANYBODY, on.health::healthy),
                new Route("GET", "/readyz", ANYBODY, on.health::ready),
                new Route("GET", "/openapi.json", ANYBODY, on.about::openApi),
                new Route("GET", "/", ANYBODY, on.about::service));
    }

    /// The measurements, on whatever port.
    ///
    /// @param open whether they are shown without a token
    static Route metrics(String path, boolean open, Route.Action action) {
        return new Route("GET", path, open ? ANYBODY : ADMIN, action);
    }
}
