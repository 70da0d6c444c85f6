package io.gpusched.server.http;

import java.util.List;

/// One thing that can be asked.
///
/// @param path with `{name}` where anything may stand
record Route(String method, String path, Audience audience, Action action) {
    /// Who may ask.
    enum Audience {
        /// Everybody, also without a token.
        ANYBODY,
        /// Tenants, for what is theirs, and the administrator.
        MEMBERS,
        ADMIN
    }

    interface Action {
        Response answer(Request request);
    }

    List<String> segments() {
        return PathSegments.of(path);
    }
}
