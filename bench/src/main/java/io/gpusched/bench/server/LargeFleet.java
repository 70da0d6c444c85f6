package io.gpusched.bench.server;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.server.http.FleetPictures;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;
import io.gpusched.server.view.ViewMaker;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/// Nodes of 8 GPUs in racks of 20, every GPU held by a job of its own, with random readings. The
/// same seed gives the same fleet.
final class LargeFleet {
    static final int GPUS = 8;

    private static final int TENANTS = 50;
    private static final int RACK = 20;
    private static final int AT_ONCE = 1000;
    private static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");

    private final Map<NodeId, List<LatestReadings.Gpu>> readings = new HashMap<>();
    private final Random random = new Random(1);
    private final View view;

    LargeFleet(int nodes) {
        var settings = EngineSettings.DEFAULT;
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        var engine = new Engine(policy, settings);
        var cell = new Cell(engine, new MemoryJournal(), assignment -> {}, (batch, result) -> {});
        cell.handle(List.of(hello(nodes)), NOW);
        var inputs = new ArrayList<Input>();
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            inputs.add(new Command.PutTenant(Tenant.unlimited(id(tenant)), true, "bench"));
        }
        for (int job = 0; job < nodes * GPUS; job++) {
            inputs.add(submit());
            if (inputs.size() >= AT_ONCE || job == nodes * GPUS - 1) {
                cell.handle(List.copyOf(inputs), NOW);
                inputs.clear();
            }
        }
        view = new ViewMaker(engine).view(engine);
        Check.that(view.waitingJobs() == 0, "%s jobs still wait", view.waitingJobs());
    }

    /// The picture as a request gets it, made anew.
    FleetPictures.Picture draw() {
        var pictures =
                new FleetPictures(
                        () -> view, readings(), TopologyLevels.DEFAULT, InstantSource.system());
        return pictures.now(null);
    }

    private LatestReadings readings() {
        return new LatestReadings() {
            @Override
            public LatestReadings.Gpu gpu(NodeId node, int index) {
                return all(node, GPUS).get(index);
            }

            @Override
            public List<LatestReadings.Gpu> all(NodeId node, int count) {
                return readings.getOrDefault(node, List.of());
            }
        };
    }

    private static TenantId id(int number) {
        return new TenantId("team-" + number);
    }

    private Command submit() {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 1000));
        var tenant = id(random.nextInt(TENANTS));
        var spec = JobSpec.builder(tenant, List.of(Role.of(shape, 1))).build();
        return new Command.Submit(spec, "", 0, false, "bench");
    }

    private Report hello(int count) {
        var agent = new AgentId("agent");
        var gpus =
                IntStream.range(0, GPUS)
                        .mapToObj(i -> new Gpu(i, GpuModel.parse("H100-80GB"), 81_920, ""))
                        .toList();
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < count; i++) {
            var id = new NodeId("node-" + (i + 1));
            readings.put(id, IntStream.range(0, GPUS).mapToObj(gpu -> reading()).toList());
            nodes.add(
                    new Node(
                            id,
                            agent,
                            "10.0.0.1",
                            gpus,
                            Topology.FLAT,
                            Resources.cores(128, 1_000_000),
                            List.of(),
                            Labels.of("rack", "rack-" + i / RACK)));
        }
        return new Report.Hello(new Agent(agent, Agent.Custody.SELF_FENCING, 0), nodes, List.of());
    }

    private LatestReadings.Gpu reading() {
        double use = random.nextInt(101);
        return new LatestReadings.Gpu(
                40 + random.nextInt(40), use, random.nextInt(81_920), 75 + use * 5);
    }
}
