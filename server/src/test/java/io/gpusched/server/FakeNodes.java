package io.gpusched.server;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// Fake nodes without an agent: the test sends an agent's reports to the cell directly.
final class FakeNodes {
    private final Server server;

    FakeNodes(Server server) {
        this.server = server;
    }

    /// A node with this many A100-80GB joins.
    FakeNodes join(String name, int gpus) {
        return join(name, gpus, Labels.of("zone", "a"));
    }

    FakeNodes join(String name, int gpus, Labels labels) {
        return join(node(name, gpus, labels, "A100-80GB"));
    }

    /// A node of so many GPUs of the model joins.
    FakeNodes join(String name, int gpus, String model) {
        return join(node(name, gpus, Labels.NONE, model));
    }

    /// A node of so many connected A100-80GB joins.
    FakeNodes join(String name, Topology topology) {
        Node node = node(name, topology.size(), Labels.NONE, "A100-80GB");
        return join(
                new Node(
                        node.id(),
                        node.agent(),
                        node.address(),
                        node.gpus(),
                        topology,
                        node.host(),
                        node.taints(),
                        node.labels()));
    }

    private FakeNodes join(Node node) {
        server.commandGateway()
                .ask(
                        new Report.Hello(
                                new Agent(node.agent(), Agent.Custody.SELF_FENCING, 0),
                                List.of(node),
                                List.of()));
        return this;
    }

    /// The node now has this many GPUs; its tasks keep running.
    void turnsOut(String name, int gpus) {
        server.commandGateway()
                .ask(
                        new Report.NodeDescribed(
                                node(name, gpus, Labels.of("zone", "a"), "A100-80GB")));
    }

    private static Node node(String name, int gpus, Labels labels, String model) {
        var list =
                IntStream.range(0, gpus)
                        .mapToObj(i -> new Gpu(i, GpuModel.parse(model), 81_920, "uuid-" + i))
                        .toList();
        return new Node(
                new NodeId(name),
                new AgentId("agent-" + name),
                "10.0.0.1",
                list,
                Topology.FLAT,
                Resources.cores(64, 512_000),
                List.<Taint>of(),
                labels);
    }

    /// All tasks of the job run.
    void run(String job) {
        Run run = runOf(job);
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            server.commandGateway().ask(new Report.TaskRunning(run.id(), rank));
        }
    }

    /// All tasks of the job end with this code.
    void end(String job, int code) {
        end(job, new Exit(Exit.How.EXITED, code, ""));
    }

    void end(String job, Exit exit) {
        Run run = runOf(job);
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            server.commandGateway().ask(new Report.TaskEnded(run.id(), rank, exit));
        }
    }

    /// Reports that the job's tasks have used no GPU for this long.
    void idle(String job, Duration idleFor) {
        Run run = runOf(job);
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            server.commandGateway().ask(new Report.TaskUse(run.id(), rank, idleFor));
        }
    }

    /// The node's machine cannot start the job, now or in the next minute.
    void refuse(String job, String why) {
        Run run = runOf(job);
        server.commandGateway()
                .ask(new Report.StartRefused(run.id(), 0, why, Duration.ofMinutes(1)));
    }

    /// A GPU of the node cannot be used.
    void breaks(String node, int gpu, String why) {
        var condition = new GpuCondition(Heat.COOL, false, why);
        server.commandGateway().ask(new Report.GpuChanged(new NodeId(node), gpu, condition));
    }

    /// The node becomes silent.
    void silence(String node) {
        server.commandGateway().ask(new Report.Silent(new AgentId("agent-" + node)));
    }

    /// The node has been silent for so long that no task can still be running there.
    void lose(String node) {
        server.commandGateway().ask(new Report.Fenced(new AgentId("agent-" + node)));
    }

    private Run runOf(String text) {
        JobId id = Objects.requireNonNull(JobId.parse(text));
        return Objects.requireNonNull(
                Objects.requireNonNull(server.view().job(id)).phase().run(),
                text + " does not run");
    }
}
