package io.gpusched.bench.core;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.core.state.StateImage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// An engine with nodes in racks whose jobs were placed by events, not by decisions.
final class RackFleet {
    static final int NODES_PER_RACK = 32;
    static final int RACKS_PER_BLOCK = 8;
    private static final TenantId WEAK = new TenantId("weak");

    private final EngineSettings settings = EngineSettings.DEFAULT;
    private final List<NodeId> ids = new ArrayList<>();
    private Engine engine;
    private Cell cell;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    RackFleet(int nodes) {
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        engine = new Engine(policy, settings);
        cell = cell(engine);
        apply(new Event.EngineStarted(now, 1, "bench", "bench"));
        var rules = new PreemptionRules(true, true, 0);
        var weak =
                new Tenant(
                        WEAK,
                        null,
                        Limits.ZERO,
                        Limits.NONE,
                        1,
                        rules,
                        true,
                        Labels.of("name", "w"));
        apply(new Event.TenantPut(now, weak, "bench"));
        for (int i = 0; i < nodes; i++) {
            apply(new Event.NodeJoined(now, node(i)));
        }
    }

    private Node node(int number) {
        ids.add(new NodeId("node-" + number));
        var model = GpuModel.parse("A100-80GB");
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < Testbed.GPUS_PER_NODE; i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), "node-" + number + "-gpu-" + i));
        }
        int rack = number / NODES_PER_RACK;
        return new Node(
                ids.getLast(),
                new AgentId("fleet"),
                "127.0.0.1",
                gpus,
                Topology.FLAT,
                Resources.cores(128, 1024 * 1024),
                List.of(),
                Labels.of("rack", "r" + rack).with("block", "b" + rack / RACKS_PER_BLOCK));
    }

    private void apply(Event event) {
        engine.apply(event);
    }

    /// Makes a job of one task run, as if it had been placed there; then time passes.
    void run(List<Role> roles, int priority, int node, Grant grant, Duration passes) {
        JobId job = engine.state().nextJob();
        JobSpec spec = spec(WEAK, priority, roles, List.of());
        Resources host = roles.getFirst().shape().host();
        var attempt = new AttemptId(job, 1, 1);
        var slot = new Slot(ids.get(node), 0, 0, grant, host);
        apply(new Event.JobSubmitted(now, job, spec, "", 0, false, "bench"));
        apply(new Event.AttemptPlaced(now, attempt, new Placement(List.of(slot)), ""));
        apply(new Event.AttemptRunning(now, attempt));
        now = now.plus(passes);
    }

    static JobSpec gang(int priority, int tasks, int gpus, List<Proximity> near) {
        return spec(Tenant.DEFAULT, priority, tasks(tasks, GpuRequest.whole(gpus, 0)), near);
    }

    static List<Role> tasks(int count, GpuRequest gpus) {
        int cores = Math.max(1, gpus.devices());
        return List.of(Role.of(Shape.of(gpus, Resources.cores(cores, cores * 4096L)), count));
    }

    private static JobSpec spec(
            TenantId tenant, int priority, List<Role> roles, List<Proximity> near) {
        return JobSpec.builder(tenant, roles)
                .name("train")
                .priority(priority)
                .kind("train")
                .near(near)
                .limit(Duration.ofHours(4))
                .build();
    }

    /// The same fleet again, as it was when the image was taken.
    void restore(StateImage image) {
        engine = Engine.restore(image, engine.policy(), settings);
        cell = cell(engine);
    }

    private static Cell cell(Engine engine) {
        return Cell.detached(engine, (batch, cycleResult) -> {});
    }

    Engine engine() {
        return engine;
    }

    JobId submit(JobSpec spec) {
        now = now.plusSeconds(1);
        JobId job = engine.state().nextJob();
        apply(new Event.JobSubmitted(now, job, spec, "", 0, false, "bench"));
        return job;
    }

    /// One round of decisions.
    CycleResult decide() {
        return cell.decide(now);
    }

    void end(JobId job) {
        apply(new Event.JobEnded(now, job, new Outcome(Outcome.Result.CANCELLED, -1, "")));
    }
}
