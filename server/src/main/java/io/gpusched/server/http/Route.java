package io.gpusched.server.http;

import java.util.List;

/// A method and path of the REST API, which callers may use it, and the action that answers.
///
/// @param path with `{name}` for a segment that may be anything
public record Route(String method, String path, Audience audience, Action action) {
    /// Which callers may use a route.
    enum Audience {
        /// All callers, also without a token.
        ANYBODY,
        /// Tenants, for what is theirs, gateways, and the administrator.
        GATEWAYS,
        /// Tenants, for what is theirs, and the administrator.
        MEMBERS,
        /// Tenants and the administrator, about themselves. These routes cost little and have no
        /// rate limit: a gateway asks them with the token of a tenant that may be at its limit.
        SELF,
        ADMIN
    }

    interface Action {
        Response answer(Request request);
    }

    List<String> segments() {
        return PathSegments.of(path);
    }
}
