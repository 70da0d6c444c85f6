package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.HeartbeatRequest;
import io.gpusched.wire.proto.agent.Hello;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Revoking a join token ends the streams that were opened with it.
final class RevocationTest {
    private static final String REVOKED = "this join token has been revoked";

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean revoked;
    private final CountDownLatch introduced = new CountDownLatch(1);
    private final AgentServices agentServices =
            new AgentServices(
                    new AgentServices.Setup(
                            AgentTimes.DEFAULT,
                            HeatQuantizer.DEFAULT,
                            token -> token.equals("secret") && !revoked,
                            1,
                            AgentTimes.DEFAULT.lease(),
                            now::get,
                            now::get,
                            InstantSource.system()),
                    (report, wanted, settled) -> {
                        settled.run();
                        introduced.countDown();
                    },
                    death -> {
                        throw new AssertionError(death);
                    });
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void open() throws Exception {
        agentServices.start();
        server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .addService(agentServices.service())
                        .build()
                        .start();
        channel =
                NettyChannelBuilder.forAddress("localhost", server.getPort())
                        .usePlaintext()
                        .build();
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        server.shutdownNow();
        agentServices.close();
    }

    @Test
    void theStreamOfAssignmentsEndsWithinFifteenSeconds() throws Exception {
        var end = new CompletableFuture<Status>();
        StreamObserver<AgentMessage> stream =
                AgentServiceGrpc.newStub(channel)
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(secret()))
                        .receiveJobAssignment(until(end));
        stream.onNext(
                AgentMessage.newBuilder()
                        .setHello(Hello.newBuilder().setSession(register()))
                        .build());
        assertThat(introduced.await(1, TimeUnit.MINUTES)).isTrue();
        revoked = true;
        now.addAndGet(Duration.ofSeconds(15).toNanos());
        eventually("the stream ends", end::isDone, () -> "still open");
        assertThat(end.join().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(end.join().getDescription()).isEqualTo(REVOKED);
    }

    @Test
    void theNextHeartbeatGetsNoLease() {
        var end = new CompletableFuture<Status>();
        long session = register();
        StreamObserver<HeartbeatRequest> beats =
                AgentServiceGrpc.newStub(channel)
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(secret()))
                        .heartbeat(until(end));
        beats.onNext(HeartbeatRequest.newBuilder().setSession(session).setSequence(0).build());
        eventually("the first one is answered", () -> answers.get() > 0, () -> "no answer");
        revoked = true;
        beats.onNext(HeartbeatRequest.newBuilder().setSession(session).setSequence(1).build());
        eventually("the stream ends", end::isDone, () -> "still open");
        assertThat(end.join().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(end.join().getDescription()).isEqualTo(REVOKED);
    }

    private long register() {
        return AgentServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(secret()))
                .withDeadlineAfter(1, TimeUnit.MINUTES)
                .registerAgent(
                        RegisterAgentRequest.newBuilder()
                                .setNodeId("n1")
                                .setInstance("one")
                                .setTotalCpuCores(1)
                                .setTotalMemoryMb(1)
                                .build())
                .getSession();
    }

    private static Metadata secret() {
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer secret");
        return headers;
    }

    private <T> StreamObserver<T> until(CompletableFuture<Status> end) {
        return new StreamObserver<>() {
            @Override
            public void onNext(T message) {
                answers.incrementAndGet();
            }

            @Override
            public void onError(Throwable problem) {
                end.complete(Status.fromThrowable(problem));
            }

            @Override
            public void onCompleted() {
                end.complete(Status.OK);
            }
        };
    }
}
