package io.gpusched.server.alert;

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
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
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
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.ReplicaStatus;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.ViewMaker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// A cell with a manual clock, and pictures of it.
final class AlertCluster {
    static final AlertPicture.Store HEALTHY = new AlertPicture.Store(0.5, "");
    static final AlertPicture.Learning NOTHING_LEARNED =
            new AlertPicture.Learning(0, 0, 0.2, Double.NaN, 0, Double.NaN, 0);

    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    final RecentActivity recentActivity = new RecentActivity(() -> now);

    private final Engine engine = engine();
    private final Cell cell = new Cell(engine, new MemoryJournal(), assignment -> {}, this::follow);

    private static Engine engine() {
        var settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named("priority", settings.policy())), settings);
    }

    private void follow(Batch batch, CycleResult cycleResult) {
        recentActivity.applied(batch, cycleResult, engine);
    }

    void handle(Input... inputs) {
        cell.handle(List.of(inputs), now);
    }

    AlertCluster after(Duration time) {
        now = now.plus(time);
        return this;
    }

    AlertCluster join(String name, int gpus) {
        return join(name, gpus, Labels.NONE);
    }

    AlertCluster join(String name, int gpus, Labels labels) {
        var list =
                IntStream.range(0, gpus)
                        .mapToObj(i -> new Gpu(i, GpuModel.parse("A100-40GB"), 40_960, ""))
                        .toList();
        var node =
                new Node(
                        new NodeId(name),
                        new AgentId(name),
                        "127.0.0.1",
                        list,
                        Topology.FLAT,
                        Resources.cores(64, 512_000),
                        List.of(),
                        labels);
        handle(
                new Report.Hello(
                        new Agent(node.agent(), Agent.Custody.SELF_FENCING, 0),
                        List.of(node),
                        List.of()));
        return this;
    }

    AlertCluster tenant(String name) {
        var tenant =
                new Tenant(
                        new TenantId(name),
                        null,
                        Limits.ZERO,
                        Limits.NONE,
                        1,
                        new PreemptionRules(true, true, 0),
                        true,
                        Labels.NONE);
        handle(new Command.PutTenant(tenant, true, "test"));
        return this;
    }

    /// Submits a job of so many tasks that need so many GPUs each; the cell places it if it fits.
    JobId submit(String tenant, int tasks, int gpus) {
        var shape = Shape.of(GpuRequest.whole(gpus, 0), Resources.cores(1, 100));
        var spec = JobSpec.builder(new TenantId(tenant), List.of(Role.of(shape, tasks))).build();
        handle(new Command.Submit(spec, "", 0, false, "test"));
        return new JobId(engine.state().jobs().last());
    }

    void hold(JobId job) {
        handle(new Command.Hold(job, "test"));
    }

    void heat(String node, int gpu, Heat heat) {
        handle(new Report.GpuChanged(new NodeId(node), gpu, new GpuCondition(heat, true, "")));
    }

    void silence(String node) {
        handle(new Report.Silent(new AgentId(node)));
    }

    void lose(String node) {
        handle(new Report.Fenced(new AgentId(node)));
    }

    /// The node on which the job was placed refuses to start it.
    void refuse(JobId job) {
        Run run = run(job);
        handle(new Report.StartRefused(run.id(), 0, "no driver", Duration.ofHours(1)));
    }

    void start(JobId job) {
        handle(new Report.TaskRunning(run(job).id(), 0));
    }

    /// The job runs and ends at once.
    void finish(JobId job) {
        exit(job, 0);
    }

    /// The job runs and ends at once with this exit code.
    void exit(JobId job, int code) {
        start(job);
        handle(new Report.TaskEnded(run(job).id(), 0, new Exit(Exit.How.EXITED, code, "")));
    }

    /// The jobs of the replicas of a pool, by number.
    List<JobId> replicas(PoolId pool) {
        return Objects.requireNonNull(engine.state().pools().find(pool)).replicas().stream()
                .map(ReplicaStatus::job)
                .toList();
    }

    private Run run(JobId id) {
        Job job = Objects.requireNonNull(engine.state().job(id));
        return Objects.requireNonNull(job.phase().run(), id + " has no run");
    }

    AlertPicture picture() {
        return picture(HEALTHY, NOTHING_LEARNED);
    }

    AlertPicture picture(AlertPicture.Store store, AlertPicture.Learning learning) {
        var view = new ViewMaker(engine).view(engine);
        return new AlertPicture(
                now,
                view,
                (node, index) -> new LatestReadings.Gpu(91.5, 50, 1, 300),
                QueueAges.of(view, now),
                FragmentedCapacity.of(view),
                recentActivity.figures(now),
                store,
                learning);
    }
}
