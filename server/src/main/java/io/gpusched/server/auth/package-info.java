/// Authentication of callers and protection of the ports: tokens, hosts and origins, the rate
/// limit, TLS.
///
/// Read [io.gpusched.server.auth.Access] first. A token is long and random, so the server keeps
/// only its SHA-256; the text is shown once, when the token is created. Nothing here knows a route.
///
///     Authorization: Bearer tok-1f6c….Zk3…  →  Caller.Member(team-a)
@NullMarked
package io.gpusched.server.auth;

import org.jspecify.annotations.NullMarked;
