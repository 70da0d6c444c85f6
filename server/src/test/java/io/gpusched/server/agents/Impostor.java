package io.gpusched.server.agents;

import com.google.protobuf.ByteString;

import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.HeartbeatRequest;
import io.gpusched.wire.proto.agent.HeartbeatResponse;
import io.gpusched.wire.proto.agent.Hello;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A client of the agent protocol that sends messages which an honest agent would not send.
final class Impostor implements AutoCloseable {
    private final String node;
    private final ManagedChannel channel;
    private final LinkedBlockingQueue<Long> acknowledged = new LinkedBlockingQueue<>();

    Impostor(String node, int port) {
        this.node = node;
        this.channel = NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
    }

    /// Registers, and returns the session.
    long register() {
        return AgentServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .registerAgent(
                        RegisterAgentRequest.newBuilder()
                                .setNodeId(node)
                                .setInstance("impostor")
                                .setTotalCpuCores(1)
                                .setTotalMemoryMb(1)
                                .build())
                .getSession();
    }

    /// Sends one heartbeat and returns how many milliseconds of lease it is granted.
    long lease(long session) {
        var granted = new CompletableFuture<Long>();
        StreamObserver<HeartbeatRequest> beats =
                AgentServiceGrpc.newStub(channel)
                        .heartbeat(
                                new StreamObserver<HeartbeatResponse>() {
                                    @Override
                                    public void onNext(HeartbeatResponse answer) {
                                        granted.complete(answer.getLeaseMillis());
                                    }

                                    @Override
                                    public void onError(Throwable problem) {
                                        granted.completeExceptionally(problem);
                                    }

                                    @Override
                                    public void onCompleted() {}
                                });
        beats.onNext(HeartbeatRequest.newBuilder().setSession(session).build());
        beats.onCompleted();
        return granted.orTimeout(10, TimeUnit.SECONDS).join();
    }

    /// Sends a report about a task and waits for its acknowledgement.
    void tell(TaskReport.Builder report) throws InterruptedException {
        tell(report, List.of());
    }

    /// Answers log requests that were never sent to it, and waits until the server has read the
    /// answers.
    void answerLogs(int requests, String content) throws InterruptedException {
        List<AgentMessage> answers = new ArrayList<>();
        for (int request = 1; request <= requests; request++) {
            answers.add(
                    AgentMessage.newBuilder()
                            .setLog(
                                    LogChunk.newBuilder()
                                            .setRequest(request)
                                            .setContent(ByteString.copyFromUtf8(content))
                                            .setComplete(true))
                            .build());
        }
        tell(
                TaskReport.newBuilder()
                        .setTask(TaskRef.newBuilder().setJob(77).setAttempt(1).setTerm(1))
                        .setPreparing(TaskReport.Preparing.getDefaultInstance()),
                answers);
    }

    private void tell(TaskReport.Builder report, List<AgentMessage> before)
            throws InterruptedException {
        StreamObserver<AgentMessage> stream =
                AgentServiceGrpc.newStub(channel)
                        .receiveJobAssignment(
                                new StreamObserver<ServerMessage>() {
                                    @Override
                                    public void onNext(ServerMessage message) {
                                        acknowledged.addAll(
                                                message.getAcknowledge().getSequencesList());
                                    }

                                    @Override
                                    public void onError(Throwable problem) {
                                        acknowledged.add(-1L);
                                    }

                                    @Override
                                    public void onCompleted() {}
                                });
        stream.onNext(
                AgentMessage.newBuilder()
                        .setHello(Hello.newBuilder().setSession(register()))
                        .build());
        before.forEach(stream::onNext);
        stream.onNext(
                AgentMessage.newBuilder().setReport(report.setNodeId(node).setSequence(7)).build());
        Long answer = acknowledged.poll(10, TimeUnit.SECONDS);
        if (answer == null || answer != 7) {
            throw new AssertionError("expected 7 to be acknowledged, found " + answer);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
