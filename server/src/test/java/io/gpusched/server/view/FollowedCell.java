package io.gpusched.server.view;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/// A cell and a second engine that follows its batches and publishes views, as in a server. Also
/// the inputs of a small cluster: three nodes of four GPUs, `n0` to `n2`.
final class FollowedCell {
    private final Cell cell;
    private final Engine follower;
    private final ViewMaker maker;
    private View view;

    FollowedCell(String policy) {
        follower = engine(policy);
        maker = new ViewMaker(follower);
        view = maker.view(follower);
        cell = new Cell(engine(policy), new MemoryJournal(), assignment -> {}, this::follow);
    }

    private void follow(Batch batch, CycleResult cycleResult) {
        maker.before(batch, follower);
        follower.apply(batch);
        maker.after(follower, cycleResult);
        view = maker.view(follower);
    }

    void handle(List<? extends Input> inputs, Instant now) {
        cell.handle(List.copyOf(inputs), now);
    }

    /// The engine that decides.
    Engine engine() {
        return cell.engine();
    }

    /// The engine that the views are made from.
    Engine follower() {
        return follower;
    }

    View view() {
        return view;
    }

    LatestTurns latestTurns() {
        return maker.latestTurns();
    }

    /// All jobs, the oldest first.
    List<Job> jobs() {
        var all = new ArrayList<Job>();
        var table = follower.state().jobs();
        for (long n = table.first(); n <= table.last(); n++) {
            Job job = table.job(n);
            if (job != null) {
                all.add(job);
            }
        }
        return all;
    }

    /// A run that holds GPUs; null if there is none.
    @Nullable Run anyRun(Random random) {
        var running = new ArrayList<Job>();
        engine().state().runs().byExpectedEnd().forEach(running::add);
        return running.isEmpty() ? null : running.get(random.nextInt(running.size())).phase().run();
    }

    static Report running(Run run) {
        return new Report.TaskRunning(run.id(), 0);
    }

    /// @param code the exit code; 0 for success
    static Report ended(Run run, int code) {
        return new Report.TaskEnded(run.id(), 0, new Exit(Exit.How.EXITED, code, ""));
    }

    /// A job of one task that needs this many whole GPUs.
    static JobSpec.Builder job(TenantId tenant, int gpus) {
        var shape = Shape.of(GpuRequest.whole(gpus, 0), Resources.cores(1, 100));
        return JobSpec.builder(tenant, List.of(Role.of(shape, 1)));
    }

    static Command submit(JobSpec.Builder job, boolean held) {
        return new Command.Submit(job.build(), "", 0, held, "test");
    }

    static Command put(
            TenantId id,
            @Nullable TenantId parent,
            Limits limits,
            boolean preemptible,
            boolean create) {
        var rules = new PreemptionRules(preemptible, true, 0);
        var tenant = new Tenant(id, parent, Limits.ZERO, limits, 1, rules, true, Labels.NONE);
        return new Command.PutTenant(tenant, create, "test");
    }

    static Report hello() {
        var agent = new AgentId("agent");
        var gpus =
                IntStream.range(0, 4)
                        .mapToObj(i -> new Gpu(i, GpuModel.parse("A100-40GB"), 40_960, ""))
                        .toList();
        var nodes = IntStream.range(0, 3).mapToObj(i -> node("n" + i, agent, gpus)).toList();
        return new Report.Hello(new Agent(agent, Agent.Custody.SELF_FENCING, 0), nodes, List.of());
    }

    private static Node node(String name, AgentId agent, List<Gpu> gpus) {
        return new Node(
                new NodeId(name),
                agent,
                "127.0.0.1",
                gpus,
                Topology.FLAT,
                Resources.cores(16, 64_000),
                List.of(),
                Labels.NONE);
    }

    static Engine engine(String policy) {
        var settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named(policy, settings.policy())), settings);
    }
}
