package io.gpusched.server.agents;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

import java.util.Locale;

/// Turns away calls without a valid join token, before anything of them is read.
final class JoinCheck implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final String SCHEME = "bearer ";

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
            return next.startCall(call, headers);
        }
        call.close(
                Status.UNAUTHENTICATED.withDescription(
                        token.isEmpty()
                                ? "a join token is needed"
                                : "this join token is unknown or has been revoked"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
