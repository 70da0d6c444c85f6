package io.gpusched.server.grpc;

import io.gpusched.server.config.ApiSection;
import io.gpusched.server.config.PortAdvice;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The gRPC port. Calls run on virtual threads, so handlers may block. Connections that do not
/// finish their handshake, carry no call, or whose client is gone are closed.
public final class GrpcPort implements AutoCloseable {
    private static final int LARGEST_MESSAGE = 16 << 20;
    private static final long FAREWELL_SECONDS = 5;
    private static final long HANDSHAKE_SECONDS = 10;
    private static final long IDLE_SECONDS = 60;
    private static final long SILENT_SECONDS = 60;
    private static final long PONG_SECONDS = 20;

    private final ApiSection api;
    private final HealthStatusManager health = new HealthStatusManager();
    private final MalformedMessages malformed = new MalformedMessages();
    private final ConnectionLoops loops;
    private final Server server;

    private GrpcPort(
            ApiSection api, List<ServerServiceDefinition> services, ConnectionLoops loops) {
        this.api = api;
        this.loops = loops;
        var builder =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(api.host(), api.grpcPort()), credentials(api))
                        .bossEventLoopGroup(loops.accepting())
                        .workerEventLoopGroup(loops.serving())
                        .channelType(loops.channelType())
                        .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                        .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTime(SILENT_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .maxInboundMessageSize(LARGEST_MESSAGE)
                        .permitKeepAliveTime(5, TimeUnit.SECONDS)
                        .permitKeepAliveWithoutCalls(true)
                        .addService(health.getHealthService())
                        .addService(ProtoReflectionServiceV1.newInstance());
        services.forEach(builder::addService);
        malformed.begin();
        this.server = builder.build();
    }

    /// @param mostConnections largest number of open connections; further ones wait until one ends
    public static GrpcPort start(
            ApiSection api, List<ServerServiceDefinition> services, int mostConnections) {
        var loops = ConnectionLoops.of(mostConnections);
        var port = new GrpcPort(api, services, loops);
        try {
            port.server.start();
        } catch (IOException e) {
            loops.close();
            throw PortAdvice.refused(api.host(), api.grpcPort(), "--grpc-port", e);
        }
        return port;
    }

    /// `127.0.0.1:9090`
    public String address() {
        return api.host() + ":" + server.getPort();
    }

    public int port() {
        return server.getPort();
    }

    /// Accepts no new calls. Present calls may finish within a time limit and are then cancelled.
    /// Agents keep their tasks running and reconnect to the next server.
    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        try {
            if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
                server.shutdownNow().awaitTermination(FAREWELL_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            loops.close();
        }
    }

    private static ServerCredentials credentials(ApiSection api) {
        if (!api.tls()) {
            return InsecureServerCredentials.create();
        }
        try {
            return TlsServerCredentials.create(
                    api.certificate().toFile(), api.privateKey().toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("the TLS files cannot be read: " + e.getMessage(), e);
        }
    }
}
