package io.gpusched.wire.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TaskState;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.ForeignTask;
import io.gpusched.wire.proto.agent.ForeignUse;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.gpusched.wire.proto.agent.SliceCount;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class NodeChangeCodecTest {
    private static final AttemptId ATTEMPT = new AttemptId(new JobId(7), 2, 3);
    private static final NodeId N1 = new NodeId("n1");

    @Test
    void aDescribedNodeMayOfferAPartOfACore() {
        var told =
                NodesChanged.newBuilder()
                        .addDescribed(
                                NodeFacts.newBuilder()
                                        .setNodeId("n1")
                                        .setCpuCores(4)
                                        .setMilliCpu(3_920)
                                        .setMemoryMb(100))
                        .build();
        var node = NodeChangeCodec.described(new AgentId("cluster"), told).getFirst();
        assertThat(node.id()).isEqualTo(N1);
        assertThat(node.host()).isEqualTo(new Resources(3_920, 100));
    }

    @Test
    void foreignUseIsCounted() {
        ForeignTask pod =
                ForeignTask.newBuilder()
                        .setId("kube-system/x")
                        .setMilliCpu(250)
                        .setMemoryMb(64)
                        .setGpus(2)
                        .addSlices(SliceCount.newBuilder().setProfile("1g.5gb.me").setCount(1))
                        .build();
        var told = ForeignUse.newBuilder().setNodeId("n1").addTasks(pod).build();
        var host = new Resources(250, 64);
        assertThat(NodeChangeCodec.foreign(told))
                .isEqualTo(
                        new Report.ForeignUsage(
                                N1,
                                List.of(
                                        new io.gpusched.core.model.ForeignTask(
                                                "kube-system/x",
                                                new Slot(N1, 0, 0, new Grant.Counted(2), host),
                                                List.of(
                                                        new io.gpusched.core.model.SliceCount(
                                                                "1g.5gb+me", 1))))));
    }

    @Test
    void nonsenseIsRefusedWithWhatWasExpected() {
        assertThatThrownBy(() -> foreign(ForeignTask.newBuilder().setGpus(-1)))
                .hasMessage("expected a sensible number of GPUs, found -1 on n1");
        assertThatThrownBy(() -> foreign(ForeignTask.newBuilder().setMilliCpu(-1)))
                .hasMessageContaining("-1 thousandths of a core on n1");
        var odd = SliceCount.newBuilder().setProfile("9g").setCount(1);
        assertThatThrownBy(() -> foreign(ForeignTask.newBuilder().addSlices(odd)))
                .hasMessage(
                        "expected slices of a MIG profile such as 1g.5gb, found 1 of '9g' on n1");
    }

    private static void foreign(ForeignTask.Builder task) {
        NodeChangeCodec.foreign(ForeignUse.newBuilder().setNodeId("n1").addTasks(task).build());
    }

    @Test
    void anOrdinaryRefusalIsAWithdrawnStart() {
        var told = TaskReport.newBuilder().setTask(AgentCodec.ref(ATTEMPT, 1)).setNodeId("n1");
        told.getRefusedBuilder().setReason("full").setOrdinary(true).setRetryAfterMillis(500);
        assertThat(AgentCodec.report(told.build()))
                .isEqualTo(new Report.StartWithdrawn(ATTEMPT, 1, "full", Duration.ofMillis(500)));
        assertThat(AgentCodec.seen(told.build()).state())
                .isEqualTo(new TaskState.Ended(new Exit(Exit.How.WITHDRAWN, -1, "full")));
    }

    @Test
    void anAgentSaysHowLongItsStartsMayTake() {
        var request = RegisterAgentRequest.newBuilder().setNodeId("n1");
        request.setStartTimeoutMillis(1_800_000).setInFlight(64);
        Agent agent = HelloReader.read(request.build()).agent();
        assertThat(agent.startTimeout()).isEqualTo(Duration.ofMinutes(30));
        assertThat(agent.inFlight()).isEqualTo(64);
        request.setStartTimeoutMillis(-1);
        assertThatThrownBy(() -> HelloReader.read(request.build()))
                .hasMessage("expected a start timeout of at most a day, found -1 ms");
    }

    @Test
    void anAgentWithoutNodesMustSayThatTheyFollow() {
        var request =
                RegisterAgentRequest.newBuilder()
                        .setAgentId("cluster")
                        .setCustody(Custody.EXTERNAL);
        assertThatThrownBy(() -> HelloReader.read(request.build()))
                .hasMessage("expected at least one node, found none");
        var introduced = HelloReader.read(request.setNodesFollow(true).build());
        assertThat(introduced.nodes()).isEmpty();
        assertThat(introduced.nodesFollow()).isTrue();
    }
}
