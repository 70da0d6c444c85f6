package io.gpusched.wire.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.Task;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.model.Tenant;
import io.gpusched.wire.agent.AgentCodec.MeetingPoint;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuLink;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Orders to agents, reports from agents.
final class AgentCodecTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final AttemptId ATTEMPT = new AttemptId(new JobId(7), 2, 3);

    private static Task task(int rank, Task.Order order, String... nodes) {
        List<Slot> slots = new ArrayList<>();
        for (String node : nodes) {
            slots.add(
                    new Slot(
                            new NodeId(node),
                            0,
                            slots.size(),
                            new Grant.Whole(0b1010),
                            new Resources(1_500, 100)));
        }
        JobSpec spec =
                JobSpec.builder(
                                Tenant.DEFAULT,
                                List.of(
                                        Role.of(
                                                Shape.of(
                                                        GpuRequest.whole(2, 0),
                                                        Resources.cores(2, 100)),
                                                nodes.length)))
                        .name("train")
                        .priority(1)
                        .kind("test")
                        .limit(Duration.ofMinutes(5))
                        .payload(
                                new Payload(
                                        "",
                                        List.of("python"),
                                        List.of("train.py"),
                                        Labels.of("A", "b"),
                                        "img",
                                        "/data",
                                        "{\"kind\":\"pods\"}"))
                        .labels(Labels.of("team", "x"))
                        .build();
        return new Task(ATTEMPT, rank, spec, slots.get(rank), new Placement(slots), order);
    }

    @Test
    void anOrderCarriesEverythingATaskNeeds() {
        TaskOrder order = AgentCodec.order(task(0, Task.Order.RUN, "n1"), null, NOW);
        assertThat(order.hasRun()).isTrue();
        assertThat(order.getRun().hasRendezvous()).isFalse();
        assertThat(order.getGpusList()).containsExactly(1, 3);
        assertThat(AgentCodec.attempt(order.getTask())).isEqualTo(ATTEMPT);
        assertThat(order.getSpec().getJobId()).isEqualTo("job-7");
        assertThat(order.getSpec().getCommandList()).containsExactly("python");
        assertThat(order.getSpec().getArgsList()).containsExactly("train.py");
        assertThat(order.getSpec().getEnvironmentMap()).containsEntry("A", "b");
        assertThat(order.getSpec().getTimeLimitMillis()).isEqualTo(300_000);
        assertThat(order.getSpec().getGraceMillis()).isEqualTo(30_000);
        assertThat(order.getSpec().getMilliCpu()).isEqualTo(1_500);
        assertThat(order.getSpec().getCpuCores()).isEqualTo(2);
        assertThat(order.getSpec().getAttachment()).isEqualTo("{\"kind\":\"pods\"}");
        assertThat(order.getSpec().getLabelsMap()).containsExactly(entry("team", "x"));
        assertThat(order.getSpec().getPriority()).isEqualTo(1);
    }

    @Test
    void aGangIsOnlyPreparedUntilItKnowsWhereToMeet() {
        Task third = task(2, Task.Order.RUN, "n1", "n2", "n2");
        assertThat(AgentCodec.order(third, null, NOW).hasPrepare()).isTrue();
        var meeting =
                AgentCodec.order(third, new MeetingPoint("10.0.0.1", 1234), NOW)
                        .getRun()
                        .getRendezvous();
        assertThat(meeting.getWorldSize()).isEqualTo(3);
        assertThat(meeting.getLocalRank()).isEqualTo(1);
        assertThat(meeting.getLocalWorldSize()).isEqualTo(2);
        assertThat(meeting.getMasterAddr()).isEqualTo("10.0.0.1");
        assertThat(meeting.getMasterPort()).isEqualTo(1234);
    }

    @Test
    void aStopGivesTheTimeThatIsLeft() {
        var cause = new StopCause(StopCause.Kind.PREEMPTED, "for job-9");
        var stop = new Task.Order.Stop(cause, NOW.plusSeconds(12));
        TaskOrder.Stop early = AgentCodec.order(task(0, stop, "n1"), null, NOW).getStop();
        assertThat(early.getGraceMillis()).isEqualTo(12_000);
        assertThat(early.getCause()).isEqualTo("for job-9");
        TaskOrder.Stop late =
                AgentCodec.order(task(0, stop, "n1"), null, NOW.plusSeconds(99)).getStop();
        assertThat(late.getGraceMillis()).isZero();
        TaskOrder.Stop setBack =
                AgentCodec.order(task(0, stop, "n1"), null, NOW.minusSeconds(9999)).getStop();
        assertThat(setBack.getGraceMillis())
                .as("never more than the job asked for")
                .isEqualTo(task(0, stop, "n1").spec().onLoss().grace().toMillis());
    }

    private static TaskReport.Builder told() {
        return TaskReport.newBuilder().setTask(AgentCodec.ref(ATTEMPT, 1)).setNodeId("n1");
    }

    private static TaskReport ended(TaskReport.How how, int code) {
        return told().setEnded(TaskReport.Ended.newBuilder().setHow(how).setExitCode(code)).build();
    }

    @Test
    void everyStateBecomesItsReport() {
        assertThat(
                        AgentCodec.report(
                                told().setPreparing(TaskReport.Preparing.getDefaultInstance())
                                        .build()))
                .isNull();
        assertThat(
                        AgentCodec.report(
                                told().setPrepared(TaskReport.Prepared.getDefaultInstance())
                                        .build()))
                .isEqualTo(new Report.TaskPrepared(ATTEMPT, 1));
        assertThat(
                        AgentCodec.report(
                                told().setRunning(TaskReport.Running.getDefaultInstance()).build()))
                .isEqualTo(new Report.TaskRunning(ATTEMPT, 1));
        assertThat(AgentCodec.report(ended(TaskReport.How.EXITED, 0)))
                .isEqualTo(new Report.TaskEnded(ATTEMPT, 1, new Exit(Exit.How.EXITED, 0, "")));
        assertThat(AgentCodec.seen(ended(TaskReport.How.EXITED, 137)).state())
                .isEqualTo(new TaskState.Ended(new Exit(Exit.How.SIGNALLED, 137, "")));
        assertThat(AgentCodec.seen(ended(TaskReport.How.LEASE_EXPIRED, 143)).state().exit())
                .isEqualTo(new Exit(Exit.How.LOST, 143, ""));
        assertThat(AgentCodec.seen(ended(TaskReport.How.TIMEOUT, 143)).state().exit())
                .isEqualTo(new Exit(Exit.How.TIMEOUT, 143, ""));
    }

    @Test
    void aTaskWithoutAnExitCodeHasNone() {
        TaskReport never =
                told().setEnded(TaskReport.Ended.newBuilder().setHow(TaskReport.How.STOPPED))
                        .build();
        assertThat(AgentCodec.seen(never).state().exit())
                .isEqualTo(new Exit(Exit.How.STOPPED, -1, ""));
    }

    @Test
    void howLongATaskRanIsTakenFromItsNodeWithinReason() {
        for (long[] told :
                new long[][] {{3210, 3210}, {-5, 0}, {Long.MAX_VALUE, 315_360_000_000L}}) {
            TaskReport report =
                    told().setEnded(TaskReport.Ended.newBuilder().setRanMillis(told[0])).build();
            assertThat(AgentCodec.seen(report).state().exit())
                    .extracting(Exit::ran)
                    .isEqualTo(Duration.ofMillis(told[1]));
        }
    }

    @Test
    void anImpossibleTaskIsRefused() {
        assertThatThrownBy(() -> AgentCodec.seen(TaskReport.getDefaultInstance()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void linksAndSocketsBecomeATopology() {
        NodeFacts.Builder node = NodeFacts.newBuilder().setNodeId("n1");
        for (int i = 0; i < 3; i++) {
            node.addGpus(GpuFacts.newBuilder().setIndex(i).setModel("H100-80GB").setSocket(i / 2));
        }
        node.addLinks(
                GpuLink.newBuilder()
                        .setFirst(0)
                        .setSecond(1)
                        .setKind(GpuLink.Kind.NVLINK)
                        .setLanes(12));
        var read =
                HelloReader.read(
                        RegisterAgentRequest.newBuilder().setAgentId("a").addNodes(node).build());
        var topology = read.nodes().getFirst().topology();
        assertThat(topology.sockets()).containsExactly(0, 0, 1);
        assertThat(topology.nvlinks(0, 1)).isEqualTo(12);
        assertThat(topology.nvlinks(1, 0)).isEqualTo(12);
        assertThat(topology.hasNvlinks()).isTrue();
        assertThat(topology.nvlinks(0, 2)).isZero();
    }
}
