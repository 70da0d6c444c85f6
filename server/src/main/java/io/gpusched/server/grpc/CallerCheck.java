package io.gpusched.server.grpc;

import io.gpusched.server.auth.Authenticator;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.auth.RateLimit;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/// Authenticates the caller and applies the rate limit before anything of a call is read. Calls of
/// agents have a check of their own.
final class CallerCheck implements ServerInterceptor {
    /// The caller of the present call.
    static final Context.Key<Caller> CALLER = Context.key("caller");

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Authenticator authenticator;
    private final RateLimit rate;

    private final boolean gateways;

    CallerCheck(Authenticator authenticator, RateLimit rate) {
        this(authenticator, rate, false);
    }

    private CallerCheck(Authenticator authenticator, RateLimit rate, boolean gateways) {
        this.authenticator = authenticator;
        this.rate = rate;
        this.gateways = gateways;
    }

    /// The same, but gateways are admitted too.
    static CallerCheck withGateways(Authenticator authenticator, RateLimit rate) {
        return new CallerCheck(authenticator, rate, true);
    }

    private boolean isAdmitted(Caller caller) {
        return switch (caller) {
            case Caller.Admin _, Caller.Member _ -> true;
            case Caller.Gateway _ -> gateways;
            case Caller.Joiner _ -> false;
        };
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Caller caller = authenticator.callerOf(headers.get(AUTHORIZATION));
        if (caller == null || !isAdmitted(caller)) {
            call.close(
                    Status.UNAUTHENTICATED.withDescription(
                            "this call needs a valid token: send authorization: Bearer TOKEN"),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        }
        long seconds = rate.secondsToWait(caller);
        if (seconds > 0) {
            call.close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            "too many calls: try again in " + seconds + " s"),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return Contexts.interceptCall(
                Context.current().withValue(CALLER, caller), call, headers, next);
    }
}
