package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;
import static io.gpusched.server.agents.RemoteCluster.node;
import static io.gpusched.server.agents.RemoteCluster.run;
import static io.gpusched.server.agents.RemoteCluster.running;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.wire.proto.agent.ForeignTask;
import io.gpusched.wire.proto.agent.ForeignUse;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

/// The server and an agent that speaks for a whole cluster.
final class RemoteClusterTest {
    private final MemoryJournal journal = new MemoryJournal();
    private LoopbackScheduler scheduler;
    private RemoteCluster cluster;

    @BeforeEach
    void open() {
        scheduler = new LoopbackScheduler(journal, LoopbackScheduler.QUICK);
        cluster = new RemoteCluster(scheduler.port(), List.of());
        cluster.change(
                NodesChanged.newBuilder()
                        .addDescribed(node("n1"))
                        .addDescribed(node("n2"))
                        .setComplete(true));
        scheduler.awaitNode("n1", node -> node.status().open());
        scheduler.awaitNode("n2", node -> node.status().open());
    }

    @AfterEach
    void close() {
        cluster.close();
        scheduler.close();
    }

    private JobId start(int gpus) {
        JobId job = scheduler.submit(Specs.script("train").gpus(gpus).spec());
        Run run = run(scheduler.await(job, "a run", j -> j.phase().run() != null).phase());
        cluster.awaitTasks(run.on().slots().getFirst().node().name(), 1);
        running(run).forEach(cluster::tell);
        scheduler.awaitRunning(job);
        return job;
    }

    private void restart(List<TaskReport> tasks) {
        int port = scheduler.port();
        cluster.close();
        scheduler.close();
        scheduler = new LoopbackScheduler(journal, LoopbackScheduler.QUICK, 2, port, List.of());
        cluster = new RemoteCluster(port, tasks);
    }

    @Test
    void aNodeThatIsGoneTakesItsTasksWithIt() {
        JobId job = start(8);
        cluster.change(NodesChanged.newBuilder().addGone("n1"));
        scheduler.await(
                job,
                "a second run on the other node",
                j -> j.attempts() == 2 && run(j.phase()).on().toString().equals("n2[0-7]"));
        assertThat(scheduler.knows("n1")).isFalse();
    }

    @Test
    void foreignUseIsNotGivenAway() {
        var use = ForeignUse.newBuilder().setNodeId("n1");
        use.addTasks(ForeignTask.newBuilder().setId("pod").setGpus(3).setMilliCpu(1_250));
        cluster.change(NodesChanged.newBuilder().addForeign(use));
        var node = scheduler.awaitNode("n1", n -> Long.bitCount(n.freeGpus()) == 5);
        assertThat(node.freeMilliCpu()).isEqualTo(30_250);
    }

    @Test
    void aReportOnATaskOfADeletedNodeDoesNotEndTheSession() {
        JobId job = start(8);
        Run run = run(scheduler.job(job).phase());
        cluster.change(NodesChanged.newBuilder().addGone("n1"));
        running(run).forEach(cluster::tell);
        cluster.change(NodesChanged.newBuilder().addDescribed(node("n3")));
        scheduler.awaitNode("n3", node -> node.status().open());
    }

    @Test
    void nothingIsLostWhenTheServerRestarts() {
        JobId job = start(8);
        Run run = run(scheduler.job(job).phase());
        restart(running(run));
        cluster.awaitTasks("n1", 1);
        cluster.change(
                NodesChanged.newBuilder()
                        .addDescribed(node("n1"))
                        .addDescribed(node("n3"))
                        .setComplete(true));
        scheduler.awaitNode("n3", node -> node.status().open());
        eventually("n2 removed", () -> !scheduler.knows("n2"), () -> "n2 is still known");
        assertThat(scheduler.job(job).phase()).isInstanceOf(Phase.Running.class);
        assertThat(run(scheduler.job(job).phase()).id()).isEqualTo(run.id());
    }

    @Test
    void silenceOfAClusterIsNotLoss() {
        JobId job = start(8);
        cluster.close();
        scheduler.awaitNode("n1", node -> node.status().reach() == NodeStatus.Reach.UNREACHABLE);
        assertThat(scheduler.job(job).phase()).isInstanceOf(Phase.Running.class);
        assertThat(scheduler.job(job).attempts()).isEqualTo(1);
    }
}
