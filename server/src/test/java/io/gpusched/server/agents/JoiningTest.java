package io.gpusched.server.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.HeartbeatRequest;
import io.gpusched.wire.proto.agent.HeartbeatResponse;
import io.gpusched.wire.proto.agent.Hello;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.gpusched.wire.proto.agent.RegisterAgentResponse;
import io.gpusched.wire.proto.agent.ReportMetricsRequest;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
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
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Which agents may join, and how callers that violate the protocol are refused.
final class JoiningTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicLong inChargeAt = new AtomicLong();
    private final AgentServices agentServices =
            new AgentServices(
                    new AgentServices.Setup(
                            AgentTimes.DEFAULT,
                            HeatQuantizer.DEFAULT,
                            "secret"::equals,
                            1,
                            AgentTimes.DEFAULT.lease(),
                            inChargeAt::get,
                            now::get,
                            InstantSource.system()),
                    (report, wanted, settled) -> settled.run(),
                    death -> {
                        throw new AssertionError(death);
                    });
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void open() throws Exception {
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

    private AgentServiceGrpc.AgentServiceBlockingStub calls(String authorization) {
        return AgentServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .withInterceptors(
                        MetadataUtils.newAttachHeadersInterceptor(headers(authorization)));
    }

    private static Metadata headers(String authorization) {
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
        return headers;
    }

    private static RegisterAgentRequest.Builder simple() {
        return RegisterAgentRequest.newBuilder()
                .setNodeId("n1")
                .setIpAddress("10.0.0.1")
                .setTotalCpuCores(8)
                .setTotalMemoryMb(1000)
                .addGpus(GpuFacts.newBuilder().setModel("NVIDIA A100-SXM4-80GB"));
    }

    @Test
    void onlyAValidTokenOpensTheDoor() {
        assertThatThrownBy(() -> calls("Bearer wrong").registerAgent(simple().build()))
                .hasMessageContaining("UNAUTHENTICATED");
        assertThatThrownBy(() -> calls("secret").registerAgent(simple().build()))
                .hasMessageContaining("expected a join token, found none");
        RegisterAgentResponse answer = calls("bearer secret").registerAgent(simple().build());
        assertThat(answer.getSession()).isPositive();
        assertThat(answer.getTerm()).isEqualTo(1);
        assertThat(answer.getLeaseMillis()).isEqualTo(600_000);
    }

    @Test
    void impossibleNodesAreRefusedWithAReason() {
        var calls = calls("Bearer secret");
        assertThatThrownBy(() -> calls.registerAgent(RegisterAgentRequest.getDefaultInstance()))
                .hasMessageContaining("a name for the agent");
        assertThatThrownBy(() -> calls.registerAgent(simple().setTotalMemoryMb(-1).build()))
                .hasMessageContaining("memory");
        assertThatThrownBy(
                        () ->
                                calls.registerAgent(
                                        simple().addGpus(GpuFacts.newBuilder().setIndex(5))
                                                .build()))
                .hasMessageContaining("without gaps");
        assertThatThrownBy(() -> calls.registerAgent(simple().setNodeId("a b").build()))
                .hasMessageContaining("letters");
    }

    @Test
    void aSessionThatDoesNotExistIsToldToRegister() {
        assertThatThrownBy(
                        () ->
                                calls("Bearer secret")
                                        .reportMetrics(
                                                ReportMetricsRequest.newBuilder()
                                                        .setSession(42)
                                                        .build()))
                .hasMessageContaining("register again");
        assertThat(answerTo(AgentMessage.newBuilder().setHello(Hello.newBuilder().setSession(42))))
                .isEqualTo(Status.Code.FAILED_PRECONDITION);
    }

    @Test
    void reportsBeforeHelloAndImpossibleTasksEndTheSession() {
        assertThat(answerTo(AgentMessage.newBuilder().setReport(TaskReport.getDefaultInstance())))
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        long session = calls("Bearer secret").registerAgent(simple().build()).getSession();
        TaskReport impossible =
                TaskReport.newBuilder()
                        .setTask(TaskRef.newBuilder().setJob(-1))
                        .setRunning(TaskReport.Running.getDefaultInstance())
                        .build();
        assertThat(
                        answerTo(
                                AgentMessage.newBuilder()
                                        .setHello(
                                                Hello.newBuilder()
                                                        .setSession(session)
                                                        .addTasks(impossible))))
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void noLeaseOutlastsWhatTheStoreConfirmed() throws Exception {
        long session = calls("Bearer secret").registerAgent(simple().build()).getSession();
        var granted = new ArrayBlockingQueue<Long>(10);
        StreamObserver<HeartbeatRequest> beats =
                AgentServiceGrpc.newStub(channel)
                        .withInterceptors(
                                MetadataUtils.newAttachHeadersInterceptor(headers("Bearer secret")))
                        .heartbeat(
                                new StreamObserver<HeartbeatResponse>() {
                                    @Override
                                    public void onNext(HeartbeatResponse answer) {
                                        granted.add(answer.getLeaseMillis());
                                    }

                                    @Override
                                    public void onError(Throwable problem) {}

                                    @Override
                                    public void onCompleted() {}
                                });
        HeartbeatRequest beat = HeartbeatRequest.newBuilder().setSession(session).build();
        for (long seconds : new long[] {0, 5, 599, 600, 3600}) {
            now.set(TimeUnit.SECONDS.toNanos(seconds));
            beats.onNext(beat);
            assertThat(granted.poll(10, TimeUnit.SECONDS))
                    .isEqualTo(Math.max(0, 600_000 - seconds * 1000));
        }
        inChargeAt.set(now.get());
        beats.onNext(beat);
        assertThat(granted.poll(10, TimeUnit.SECONDS)).isEqualTo(600_000);
        beats.onCompleted();
    }

    private Status.Code answerTo(AgentMessage.Builder message) {
        CompletableFuture<Status.Code> end = new CompletableFuture<>();
        StreamObserver<AgentMessage> stream =
                AgentServiceGrpc.newStub(channel)
                        .withInterceptors(
                                MetadataUtils.newAttachHeadersInterceptor(headers("Bearer secret")))
                        .receiveJobAssignment(
                                new StreamObserver<ServerMessage>() {
                                    @Override
                                    public void onNext(ServerMessage answer) {}

                                    @Override
                                    public void onError(Throwable problem) {
                                        end.complete(Status.fromThrowable(problem).getCode());
                                    }

                                    @Override
                                    public void onCompleted() {
                                        end.complete(Status.Code.OK);
                                    }
                                });
        stream.onNext(message.build());
        return end.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
