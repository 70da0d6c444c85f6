package io.gpusched.rl;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Topology;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// One node of GPUs under the production core, where the caller chooses which job starts when.
///
/// It is the cell that the server runs, called step by step: [Cell#take] receives inputs, then the
/// caller names the job for [Cell#attempt] instead of the queue order, or lets time pass without a
/// cycle by [Cell#seal]. Gates, filters, fitters and the ledger are those of production. Tasks
/// start at once.
final class CoreCluster {
    private static final AgentId AGENT = new AgentId("environment");
    private static final String BY = "environment";
    private static final GpuModel MODEL = GpuModel.parse("A100-80GB");

    private final Cell cell;
    private final ClusterState state;
    private final NodeView node;
    private Instant now = Instant.EPOCH;
    private long events;

    CoreCluster(int gpus) {
        Policy policy = Objects.requireNonNull(Policies.named("fifo-skip", PolicySettings.DEFAULT));
        var engine = new Engine(policy, EngineSettings.DEFAULT);
        this.cell = Cell.detached(engine, (batch, cycleResult) -> events += batch.size());
        this.state = engine.state();
        cell.takeCharge(1, BY, policy.name(), now);
        cell.handle(
                List.of(
                        new Report.Hello(
                                new Agent(AGENT, Agent.Custody.EXTERNAL, 0),
                                List.of(node(gpus)),
                                List.of())),
                now);
        this.node = state.nodes().all().getFirst();
    }

    private static Node node(int count) {
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < count; i++) {
            gpus.add(new Gpu(i, MODEL, MODEL.memoryMiB(), "gpu-" + i));
        }
        return new Node(
                new NodeId("n1"),
                AGENT,
                "",
                gpus,
                Topology.FLAT,
                Resources.cores(count, 0),
                List.of(),
                Labels.NONE);
    }

    /// Advances the time, which never goes back, to the resolution of the core. The events of the
    /// time before become a batch.
    void timeIs(double seconds) {
        seal();
        long micros = (long) (seconds * 1e6);
        now = Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1000);
    }

    /// Makes the events since the last batch a batch.
    void seal() {
        cell.seal(now);
    }

    JobId submit(JobSpec spec) {
        Answer answer = tell(new Command.Submit(spec, "", 0, false, BY));
        JobId id = answer instanceof Answer.Accepted accepted ? accepted.job() : null;
        Check.that(id != null, "the job was refused: %s", answer);
        return Objects.requireNonNull(id);
    }

    /// Starts a waiting job and says which GPUs it got, one bit each.
    long start(JobId job) {
        TurnOutcome turnOutcome = cell.attempt(job, now);
        if (!(turnOutcome instanceof TurnOutcome.Placed placed)) {
            throw new IllegalStateException(job + " fits and was not placed: " + turnOutcome);
        }
        tell(new Report.TaskRunning(attempt(job), 0));
        return placed.on().slots().getFirst().grant().mask();
    }

    void end(JobId job) {
        tell(new Report.TaskEnded(attempt(job), 0, Exit.SUCCESS));
    }

    private AttemptId attempt(JobId job) {
        return new AttemptId(job, 1, state.term());
    }

    private Answer tell(Input input) {
        return cell.take(input, now);
    }

    int idleGpus() {
        return Long.bitCount(node.idleGpus());
    }

    /// How many events the core has recorded.
    long events() {
        return events;
    }

    long waiting() {
        return state.waitingJobs();
    }
}
