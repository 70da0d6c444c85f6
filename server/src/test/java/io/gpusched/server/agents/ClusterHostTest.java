package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.agent.AgentIdentity;
import io.gpusched.agent.ConnectionSettings;
import io.gpusched.agent.NodeAgent;
import io.gpusched.agent.TermFile;
import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.Lease;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.model.JobId;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A host of many nodes, which tells its nodes and what has changed, under the real agent.
final class ClusterHostTest {
    private static final int NODES = 400;

    /// Starts every task at once.
    private static final class Cluster implements TaskHost {
        private final Map<TaskRef, TaskReport> tasks = new LinkedHashMap<>();
        private final List<TaskReport> changed = new ArrayList<>();
        private final AtomicInteger followed = new AtomicInteger();
        private final AtomicInteger listed = new AtomicInteger();
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public void watch(Runnable change) {}

        @Override
        public void opened(Consumer<NodesChanged> nodes) {
            for (int from = 1; from <= NODES; from += 100) {
                var chunk = NodesChanged.newBuilder().setComplete(from + 100 > NODES);
                for (int number = from; number < from + 100; number++) {
                    chunk.addDescribed(RemoteCluster.node("n" + number));
                }
                nodes.accept(chunk.build());
            }
        }

        @Override
        public HostChanges changes() {
            asked.incrementAndGet();
            var changes = new HostChanges(false, changed, List.of(), List.of());
            changed.clear();
            return changes;
        }

        @Override
        public void converge(String node, List<TaskOrder> wanted) {
            followed.incrementAndGet();
            for (TaskOrder order : wanted) {
                if (order.hasRun() && !tasks.containsKey(order.getTask())) {
                    TaskReport report =
                            TaskReport.newBuilder()
                                    .setTask(order.getTask())
                                    .setNodeId(node)
                                    .setRunning(TaskReport.Running.getDefaultInstance())
                                    .build();
                    tasks.put(order.getTask(), report);
                    changed.add(report);
                }
            }
        }

        @Override
        public List<TaskReport> tasks() {
            listed.incrementAndGet();
            return List.copyOf(tasks.values());
        }

        @Override
        public void acknowledged(TaskRef task) {}

        @Override
        public LogChunk log(LogRequest request) {
            return LogChunk.getDefaultInstance();
        }

        @Override
        public LogMark logMark(TaskRef task) {
            return new LogMark(0, false);
        }

        @Override
        public void tidy() {}
    }

    @Test
    void theWorkFollowsTheChanges() {
        var cluster = new Cluster();
        try (var scheduler = new LoopbackScheduler(new MemoryJournal(), LoopbackScheduler.QUICK);
                var agent =
                        new NodeAgent(
                                AgentIdentity.ofCluster("cluster", "uid", 8, Duration.ofHours(1)),
                                new ConnectionSettings(
                                        NettyChannelBuilder.forAddress(
                                                        "localhost", scheduler.port())
                                                .usePlaintext()
                                                .build(),
                                        () -> ""),
                                cluster,
                                Lease.unlimited(),
                                TermFile.inMemory())) {
            agent.start();
            scheduler.awaitNode("n" + NODES, node -> node.status().open());
            eventually(
                    "an assignment of each node",
                    () -> cluster.followed.get() >= NODES,
                    cluster.followed::get);
            var jobs = new ArrayList<JobId>();
            for (int number = 0; number < 20; number++) {
                jobs.add(scheduler.submit(Specs.script("train").gpus(8).spec()));
            }
            jobs.forEach(scheduler::awaitRunning);
            int steps = cluster.asked.get();
            eventually("more steps", () -> cluster.asked.get() > steps + 5, cluster.asked::get);
            assertThat(cluster.listed.get()).as("only for the Hello").isOne();
            assertThat(cluster.followed.get())
                    .as("each node once, and a few times for each job")
                    .isLessThan(2 * NODES + 20 * 4);
        }
    }
}
