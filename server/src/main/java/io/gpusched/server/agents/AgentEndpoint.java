package io.gpusched.server.agents;

import io.gpusched.wire.agent.HelloReader;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.HeartbeatRequest;
import io.gpusched.wire.proto.agent.HeartbeatResponse;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.gpusched.wire.proto.agent.RegisterAgentResponse;
import io.gpusched.wire.proto.agent.ReportMetricsRequest;
import io.gpusched.wire.proto.agent.ReportMetricsResponse;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The gRPC service of the agent protocol, with its four calls. It keeps no state of its own.
final class AgentEndpoint extends AgentServiceGrpc.AgentServiceImplBase {
    private final AgentSession.Parts parts;
    private final Telemetry telemetry;
    private final AgentTimes times;
    private final long term;
    private final Supplier<Duration> grant;

    /// @param grant the lease that may be granted at this moment; zero if none
    AgentEndpoint(
            AgentSession.Parts parts,
            Telemetry telemetry,
            AgentTimes times,
            long term,
            Supplier<Duration> grant) {
        this.parts = parts;
        this.telemetry = telemetry;
        this.times = times;
        this.term = term;
        this.grant = grant;
    }

    @Override
    public void registerAgent(
            RegisterAgentRequest request, StreamObserver<RegisterAgentResponse> answer) {
        try {
            long session = parts.agentRegistry().open(HelloReader.read(request));
            answer.onNext(
                    RegisterAgentResponse.newBuilder()
                            .setSession(session)
                            .setTerm(term)
                            .setLeaseMillis(times.lease().toMillis())
                            .setHeartbeatMillis(times.heartbeat().toMillis())
                            .setMetricsMillis(times.metrics().toMillis())
                            .build());
            answer.onCompleted();
        } catch (IllegalArgumentException e) {
            answer.onError(
                    Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
        } catch (StatusRuntimeException e) {
            answer.onError(e);
        }
    }

    @Override
    public StreamObserver<HeartbeatRequest> heartbeat(StreamObserver<HeartbeatResponse> answers) {
        BooleanSupplier admitted = JoinCheck.ADMITTED.get();
        return new StreamObserver<>() {
            private boolean over;

            @Override
            public void onNext(HeartbeatRequest beat) {
                if (over) {
                    return;
                }
                if (!admitted.getAsBoolean()) {
                    over = true;
                    answers.onError(JoinCheck.REVOKED.asRuntimeException());
                    return;
                }
                // Recorded before the answer: the agent's lease must end before this server gives
                // the agent up.
                if (parts.agentRegistry().heartbeat(beat.getSession())) {
                    answers.onNext(
                            HeartbeatResponse.newBuilder()
                                    .setSequence(beat.getSequence())
                                    .setTerm(term)
                                    .setLeaseMillis(grant.get().toMillis())
                                    .build());
                } else {
                    over = true;
                    answers.onError(ended());
                }
            }

            @Override
            public void onError(Throwable problem) {}

            @Override
            public void onCompleted() {
                if (!over) {
                    answers.onCompleted();
                }
            }
        };
    }

    @Override
    public void reportMetrics(
            ReportMetricsRequest request, StreamObserver<ReportMetricsResponse> answer) {
        var nodes = parts.agentRegistry().nodes(request.getSession());
        if (nodes.isEmpty()) {
            answer.onError(ended());
            return;
        }
        telemetry.accept(nodes, request.getNodesList());
        answer.onNext(ReportMetricsResponse.getDefaultInstance());
        answer.onCompleted();
    }

    @Override
    public StreamObserver<AgentMessage> receiveJobAssignment(StreamObserver<ServerMessage> agent) {
        return new AgentSession(
                parts, (ServerCallStreamObserver<ServerMessage>) agent, JoinCheck.ADMITTED.get());
    }

    private static StatusRuntimeException ended() {
        return Status.FAILED_PRECONDITION
                .withDescription("this session has ended; register again")
                .asRuntimeException();
    }
}
