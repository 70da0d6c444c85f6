package io.gpusched.server.auth;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// Turns the `Authorization` of a request into a [Caller].
///
/// Without `required`, a caller without a token is the administrator (the server listens on
/// loopback only); a token that is shown counts all the same, so that a tenant's is as narrow there
/// as anywhere.
public final class Authenticator {
    private static final String SCHEME = "bearer ";
    private static final Caller LOCAL = new Caller.Admin("local");

    private final Tokens tokens;
    private final boolean required;

    public Authenticator(Tokens tokens, boolean required) {
        this.tokens = tokens;
        this.required = required;
    }

    /// The caller; null when it shows no valid token.
    public @Nullable Caller callerOf(@Nullable String authorization) {
        if (authorization == null) {
            return required ? null : LOCAL;
        }
        if (!authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return null;
        }
        return tokens.callerOf(authorization.substring(SCHEME.length()).strip());
    }
}
