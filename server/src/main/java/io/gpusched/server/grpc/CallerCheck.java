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

    CallerCheck(Authenticator authenticator, RateLimit rate) {
        this.authenticator = authenticator;
        this.rate = rate;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Caller caller = authenticator.callerOf(headers.get(AUTHORIZATION));
        if (caller == null || !(caller instanceof Caller.Member || caller.isAdmin())) {
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
