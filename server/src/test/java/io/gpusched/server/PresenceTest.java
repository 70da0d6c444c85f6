package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.Hello;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// What the API shows of a node as soon as its agent disconnects, long before it counts as
/// unreachable.
@Timeout(60)
final class PresenceTest {
    @TempDir Path data;

    private ManagedChannel channel;
    private Running rest;

    @BeforeEach
    void start() {
        rest = Running.in(data);
        join();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        rest.close();
    }

    @Test
    void aNodeWithoutAgentIsShownAsSuchAtOnceAndCanBeRemoved() {
        JsonNode there = node();
        assertThat(there.get("state").asText()).isEqualTo("ready");
        assertThat(there.get("agent_connected").asBoolean()).isTrue();
        assertThat(there.get("agent_last_seen").asText()).isNotEmpty();
        assertThat(rest.delete("/api/v1/nodes/n1").status()).isEqualTo(409);

        leave();
        assertThat(node().get("state").asText()).isEqualTo("ready");
        assertThat(node().get("agent_silent_seconds").asLong()).isBetween(0L, 19L);
        var removed = rest.delete("/api/v1/nodes/n1");
        assertThat(removed.status()).as(removed.text()).isEqualTo(200);
        assertThat(rest.get("/api/v1/nodes/n1").status()).isEqualTo(404);

        join();
        assertThat(node().get("agent_connected").asBoolean()).as("it joins anew").isTrue();
    }

    @Test
    void aNodeThatMayStillRunAJobIsKeptAndTheErrorStatesForHowLong() {
        String job = rest.submit("{\"gpu_count\":0,\"script\":\"true\"}");
        Soon.that("a place", () -> rest.job(job).get("state").asText().equals("scheduled"));
        leave();

        var refused = rest.delete("/api/v1/nodes/n1");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.field("error"))
                .isEqualTo("node n1 has 1 job, and its agent is not connected");
        assertThat(refused.field("hint"))
                .contains("start its agent again")
                .containsPattern("in at most 6\\d\\d s");
        assertThat(node().get("state").asText()).isEqualTo("ready");
    }

    private JsonNode node() {
        return rest.get("/api/v1/nodes/n1").json();
    }

    private void join() {
        channel =
                ManagedChannelBuilder.forAddress("127.0.0.1", rest.server().grpcPort())
                        .usePlaintext()
                        .build();
        long session =
                AgentServiceGrpc.newBlockingStub(channel)
                        .registerAgent(
                                RegisterAgentRequest.newBuilder()
                                        .setNodeId("n1")
                                        .setInstance("one")
                                        .setTotalCpuCores(4)
                                        .setTotalMemoryMb(4096)
                                        .build())
                        .getSession();
        StreamObserver<AgentMessage> stream =
                AgentServiceGrpc.newStub(channel).receiveJobAssignment(new Deaf());
        stream.onNext(
                AgentMessage.newBuilder().setHello(Hello.newBuilder().setSession(session)).build());
        Soon.that("a node", () -> rest.get("/api/v1/nodes/n1").status() == 200);
    }

    private void leave() {
        channel.shutdownNow();
        Soon.that("an agent that is gone", () -> !node().get("agent_connected").asBoolean());
    }

    /// An agent that accepts assignments and does nothing.
    private static final class Deaf implements StreamObserver<ServerMessage> {
        @Override
        public void onNext(ServerMessage message) {}

        @Override
        public void onError(Throwable problem) {}

        @Override
        public void onCompleted() {}
    }
}
