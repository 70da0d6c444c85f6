package io.gpusched.server.auth;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// Turns the `Authorization` header of a request into a [Caller].
///
/// If no token is `required` (the server listens on loopback only), a caller without a token is the
/// administrator. A token that is sent counts even then, so a tenant's token has the same limits
/// everywhere.
public final class Authenticator {
    private static final String SCHEME = "bearer ";
    private static final Caller LOCAL = new Caller.Admin("local");

    private final Tokens tokens;
    private final boolean required;

    public Authenticator(Tokens tokens, boolean required) {
        this.tokens = tokens;
        this.required = required;
    }

    /// The caller; null if it sent no valid token.
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
