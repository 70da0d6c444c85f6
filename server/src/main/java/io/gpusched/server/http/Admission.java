package io.gpusched.server.http;

import io.gpusched.server.auth.Access;
import io.gpusched.server.auth.Authenticator;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.auth.OriginPolicy;
import io.gpusched.server.auth.RateLimit;

import org.jspecify.annotations.Nullable;

/// The checks that every request passes, whatever its protocol: host and origin, the caller's
/// token, its rights and its rate. Each throws an [HttpError].
record Admission(Authenticator authenticator, OriginPolicy originPolicy, RateLimit rate) {
    static Admission of(Access access, OriginPolicy originPolicy) {
        return new Admission(access.authenticator(), originPolicy, access.rateLimit());
    }

    /// @param origin null if the client is not a page in a browser
    void checkOrigin(@Nullable String host, @Nullable String origin) {
        if (!originPolicy.allowsHost(host)) {
            throw HttpError.forbidden(
                    "this server is not called " + host,
                    "add this name or number to api.allowed_hosts, or use one that is there");
        }
        if (origin != null && !originPolicy.allowsOrigin(origin, String.valueOf(host))) {
            throw HttpError.forbidden(
                    "pages of " + origin + " may not call this server",
                    "add the origin to api.cors_origins");
        }
    }

    /// @param authorization the header; null if there is none
    Caller admit(@Nullable String authorization, Route.Audience audience) {
        Caller caller = authenticator.callerOf(authorization);
        if (caller == null) {
            if (audience == Route.Audience.ANYBODY) {
                return new Caller.Joiner("nobody");
            }
            throw HttpError.unauthorized();
        }
        boolean may =
                switch (audience) {
                    case ANYBODY -> true;
                    case GATEWAYS -> !(caller instanceof Caller.Joiner);
                    case MEMBERS, SELF -> caller instanceof Caller.Member || caller.isAdmin();
                    case ADMIN -> caller.isAdmin();
                };
        if (!may) {
            throw HttpError.forbidden(
                    "this token may not do that", "ask with an administrator's token");
        }
        // Open routes have no rate limit: a health check must not fail because others send too many
        // requests, and the other open routes cost little.
        boolean free = audience == Route.Audience.ANYBODY || audience == Route.Audience.SELF;
        long seconds = free ? 0 : rate.secondsToWait(caller);
        if (seconds > 0) {
            throw HttpError.tooFast(seconds);
        }
        return caller;
    }

    /// Whether this header still admits the same caller.
    boolean stillAdmits(@Nullable String authorization, Caller caller) {
        return caller.equals(authenticator.callerOf(authorization));
    }
}
