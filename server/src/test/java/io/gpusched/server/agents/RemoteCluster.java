package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.wire.agent.AgentCodec;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.Hello;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.gpusched.wire.proto.agent.TaskReport;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// An agent that speaks for a cluster with another custodian. Its tasks run as long as it says so.
final class RemoteCluster implements AutoCloseable {
    static final String NAME = "cluster";

    private final ManagedChannel channel;
    private final Map<String, Assign> assigned = new ConcurrentHashMap<>();
    private final StreamObserver<AgentMessage> stream;

    /// Registers without a node, and says which tasks it has.
    RemoteCluster(int port, List<TaskReport> tasks) {
        channel = NettyChannelBuilder.forAddress("localhost", port).usePlaintext().build();
        long session =
                AgentServiceGrpc.newBlockingStub(channel)
                        .withWaitForReady()
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .registerAgent(
                                RegisterAgentRequest.newBuilder()
                                        .setAgentId(NAME)
                                        .setInstance("uid")
                                        .setCustody(Custody.EXTERNAL)
                                        .setNodesFollow(true)
                                        .build())
                        .getSession();
        stream =
                AgentServiceGrpc.newStub(channel)
                        .receiveJobAssignment(
                                new StreamObserver<ServerMessage>() {
                                    @Override
                                    public void onNext(ServerMessage message) {
                                        if (message.hasAssign()) {
                                            Assign assign = message.getAssign();
                                            assigned.put(assign.getNodeId(), assign);
                                        }
                                    }

                                    @Override
                                    public void onError(Throwable problem) {}

                                    @Override
                                    public void onCompleted() {}
                                });
        stream.onNext(
                AgentMessage.newBuilder()
                        .setHello(Hello.newBuilder().setSession(session).addAllTasks(tasks))
                        .build());
    }

    /// Facts about a node with eight GPUs.
    static NodeFacts node(String name) {
        var facts = NodeFacts.newBuilder().setNodeId(name).setMilliCpu(31_500).setMemoryMb(1 << 16);
        for (int gpu = 0; gpu < 8; gpu++) {
            facts.addGpus(
                    GpuFacts.newBuilder().setIndex(gpu).setModel("A100-80GB").setMemoryMb(81_920));
        }
        return facts.build();
    }

    void change(NodesChanged.Builder change) {
        stream.onNext(AgentMessage.newBuilder().setNodes(change).build());
    }

    void tell(TaskReport report) {
        stream.onNext(AgentMessage.newBuilder().setReport(report).build());
    }

    /// Reports that all tasks of the run are running.
    static List<TaskReport> running(Run run) {
        var reports = new ArrayList<TaskReport>();
        run.on()
                .slots()
                .forEach(
                        slot ->
                                reports.add(
                                        TaskReport.newBuilder()
                                                .setSequence(slot.rank() + 1L)
                                                .setTask(AgentCodec.ref(run.id(), slot.rank()))
                                                .setNodeId(slot.node().name())
                                                .setRunning(TaskReport.Running.newBuilder())
                                                .build()));
        return reports;
    }

    /// The run of a phase that has one.
    static Run run(Phase phase) {
        return Objects.requireNonNull(phase.run());
    }

    /// Waits until the node has this many tasks, and returns its assignment.
    Assign awaitTasks(String node, int tasks) {
        eventually(
                tasks + " tasks on " + node,
                () -> {
                    Assign assign = assigned.get(node);
                    return assign != null && assign.getTasksCount() == tasks;
                },
                () -> String.valueOf(assigned.get(node)));
        return Objects.requireNonNull(assigned.get(node));
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
