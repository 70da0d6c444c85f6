package io.gpusched.server.agents;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

import java.util.Locale;
import java.util.function.BooleanSupplier;

/// Refuses agents' calls without a valid join token, before anything of them is read. A stream can
/// check later whether its token is still valid.
final class JoinCheck implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final String SCHEME = "bearer ";

    /// Checks whether the token of the present call is valid now; may be called again later.
    static final Context.Key<BooleanSupplier> ADMITTED =
            Context.keyWithDefault("join-token-is-valid", () -> true);

    /// The status that ends a stream whose token was revoked.
    static final Status REVOKED =
            Status.UNAUTHENTICATED.withDescription("this join token has been revoked");

    private final JoinTokens tokens;

    JoinCheck(JoinTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String shown = headers.get(AUTHORIZATION);
        boolean bearer = shown != null && shown.toLowerCase(Locale.ROOT).startsWith(SCHEME);
        String token = bearer && shown != null ? shown.substring(SCHEME.length()).strip() : "";
        if (tokens.admits(token)) {
            return Contexts.interceptCall(
                    Context.current().withValue(ADMITTED, () -> tokens.admits(token)),
                    call,
                    headers,
                    next);
        }
        call.close(
                Status.UNAUTHENTICATED.withDescription(
                        token.isEmpty()
                                ? "expected a join token, found none"
                                : "this join token is unknown or has been revoked"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
