package io.gpusched.server.http;

import java.util.List;

/// One thing that can be asked.
///
/// @param path with `{name}` where anything may stand
record Route(String method, String path, Who who, Action action) {
    /// Who may ask.
    enum Who {
        /// Everybody, also without a token.
        ANYBODY,
        /// Tenants, for what is theirs, and the administrator.
        MEMBERS,
        ADMIN
    }

    interface Action {
        Reply answer(Asked asked);
    }

    List<String> segments() {
        return Segments.of(path);
    }
}
