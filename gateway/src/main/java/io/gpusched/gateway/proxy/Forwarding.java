package io.gpusched.gateway.proxy;

import io.gpusched.gateway.http.ClientRequest;
import io.gpusched.gateway.measure.AnswerMeter;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;
import io.gpusched.gateway.pool.SessionKey;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/// One request on its way to a replica, from its arrival until its answer is complete.
final class Forwarding {
    /// Fields of a request that are about the client's connection, or that the gateway sets.
    private static final Set<String> NOT_FORWARDED =
            Set.of(
                    "host",
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "proxy-authorization",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "expect",
                    "content-length",
                    "accept-encoding");

    final ClientSocket client;
    final ServedPool pool;
    final ClientRequest request;
    final String tenant;
    final SessionKey session;
    final long promptTokens;
    final long arrivedAt;

    /// Replicas that failed for this request.
    final Set<String> tried = new HashSet<>();

    private final String target;
    private final boolean withKey;
    int attempts;
    boolean held;
    boolean ended;
    long heldSince;

    /// The replica that has the request now, with its connection.
    @Nullable ServedReplica replica;

    @Nullable ReplicaSocket socket;
    long sentAt;

    /// The status of the answer that the client gets; 0 before it has begun.
    int status;

    /// Set when the first byte of the answer has come: from then on nothing is tried again.
    @Nullable AnswerMeter meter;

    /// @param withKey whether the replica gets the client's key
    Forwarding(ClientSocket client, Resolved resolved, long now, boolean withKey) {
        this.client = client;
        this.request = resolved.request();
        this.pool = resolved.pool();
        this.tenant = resolved.tenant();
        this.target = resolved.target();
        this.promptTokens = resolved.promptTokens();
        this.withKey = withKey;
        String header = pool.config().serving().sessionHeader();
        String value = header.isEmpty() ? null : request.fields().first(header);
        this.session = value == null ? SessionKey.NONE : SessionKey.of(value);
        this.arrivedAt = now;
    }

    boolean isHead() {
        return request.method().equals("HEAD");
    }

    /// The head of the request for a replica at this address.
    byte[] head(InetSocketAddress address) {
        var text = new StringBuilder(512);
        text.append(request.method()).append(' ').append(target).append(" HTTP/1.1\r\n");
        text.append("host: ").append(address.getHostString()).append(':');
        text.append(address.getPort()).append("\r\n");
        request.fields()
                .forEach(
                        (name, value) -> {
                            if (isForwarded(name)) {
                                text.append(name).append(": ").append(value).append("\r\n");
                            }
                        });
        int length = body().length;
        if (length > 0 || !request.method().equals("GET")) {
            text.append("content-length: ").append(length).append("\r\n");
        }
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    byte[] body() {
        return request.body();
    }

    private boolean isForwarded(String name) {
        return !NOT_FORWARDED.contains(name) && (withKey || !name.equals("authorization"));
    }

    /// Where a request goes.
    ///
    /// @param request with the body for the replica
    /// @param tenant whose token rate it uses
    /// @param target path and query for the replica
    record Resolved(
            ServedPool pool,
            ClientRequest request,
            String tenant,
            String target,
            long promptTokens) {}
}
