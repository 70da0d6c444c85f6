package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;

/// `GET /api/v1/whoami`: the caller as its token identifies it, and what it talks to. A page asks
/// this first, because it shows other things to a tenant than to an administrator.
final class WhoamiHandler {
    /// The number of the REST API's generation, as in `/api/v1`.
    private static final int API = 1;

    private final boolean auth;
    private final String version;

    /// @param auth whether this server asks for tokens
    WhoamiHandler(boolean auth, String version) {
        this.auth = auth;
        this.version = version;
    }

    Response show(Request request) {
        request.onlyParameters();
        Caller caller = request.caller();
        var out = new JsonOutput().object();
        out.field("name", caller.label()).field("role", caller.isAdmin() ? "admin" : "tenant");
        out.field("tenant_id", caller instanceof Caller.Member of ? of.tenant().name() : null);
        out.field("auth", auth).field("version", version).field("api", API);
        return Response.ok(out.endObject());
    }
}
