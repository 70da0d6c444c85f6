/// Authentication and authorization of callers: tokens, hosts and origins, the rate of asking, TLS.
///
/// Read [io.gpusched.server.auth.Authenticator] first. A token is random and long, so its SHA-256
/// is all that is kept; the text is shown once, when it is made. Nothing here knows a route.
///
///     Authorization: Bearer tok-1f6c….Zk3…  →  Caller.Member(team-a)
@NullMarked
package io.gpusched.server.auth;

import org.jspecify.annotations.NullMarked;
