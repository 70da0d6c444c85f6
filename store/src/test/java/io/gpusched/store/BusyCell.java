package io.gpusched.store;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Journal;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Task;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// A real scheduler under a random workload: users submit, cancel, hold and change tenants; agents
/// start and end tasks, overheat, disconnect and come back. The same seed gives the same run.
final class BusyCell {
    private static final List<String> TENANTS = List.of("team-a", "team-b", "team-c");
    private static final int NODES = 4;

    final Cell cell;
    private final Random random;
    private final Map<NodeId, Assignment> wanted = new LinkedHashMap<>();
    private Instant now = Batches.START;

    BusyCell(Journal journal, long term, long seed) {
        this(newEngine(), journal, seed);
        cell.takeCharge(term, "test", "test", now);
        for (String tenant : TENANTS) {
            handle(new Command.PutTenant(tenant(tenant, 1 + random.nextInt(12)), true, "boss"));
        }
        for (int node = 0; node < NODES; node++) {
            handle(hello(node));
        }
    }

    private BusyCell(Engine engine, Journal journal, long seed) {
        random = new Random(seed);
        cell =
                new Cell(
                        engine,
                        journal,
                        assignment -> wanted.put(assignment.node(), assignment),
                        (batch, cycleResult) -> {});
    }

    static Engine newEngine() {
        var settings = EngineSettings.DEFAULT;
        var policy = Policies.named("priority", settings.policy());
        return new Engine(Objects.requireNonNull(policy), settings);
    }

    BusyCell live(int steps) {
        for (int step = 0; step < steps; step++) {
            now = now.plusMillis(random.nextInt(60_000));
            List<Input> inputs = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                inputs.add(something());
            }
            cell.handle(inputs, now);
        }
        return this;
    }

    /// Moves the tenant and its usage to another parent.
    void adopt(String tenant, String parent) {
        handle(
                new Command.PutTenant(
                        under(new TenantId(parent), tenant(tenant, 12)), false, "boss"));
    }

    private void handle(Input input) {
        cell.handle(List.of(input), now);
    }

    private Input something() {
        return switch (random.nextInt(20)) {
            case 0 -> new Command.Cancel(someJob(), "somebody");
            case 1 -> new Command.Hold(someJob(), "somebody");
            case 2 -> new Command.Release(someJob(), "somebody");
            case 3 -> new Command.Reprioritise(someJob(), random.nextInt(1000), "somebody");
            case 4 ->
                    new Command.PutTenant(
                            under(someParent(), tenant(someTenant(), random.nextInt(12))),
                            false,
                            "boss");
            case 5 -> new Command.Cordon(someNode(), "boss");
            case 6 -> new Command.Uncordon(someNode(), "boss");
            case 7 -> new Command.Drain(someNode(), random.nextBoolean(), "boss");
            case 8 -> heat();
            case 9 -> new Report.Silent(agent(random.nextInt(NODES)));
            case 10 -> new Report.Fenced(agent(random.nextInt(NODES)));
            case 11 -> hello(random.nextInt(NODES));
            case 12, 13, 14, 15 -> report();
            default -> new Command.Submit(spec(), "", 0, random.nextInt(10) == 0, "somebody");
        };
    }

    /// The next report of an agent about one of its tasks.
    private Input report() {
        List<Task> tasks = wanted.values().stream().flatMap(a -> a.tasks().stream()).toList();
        if (tasks.isEmpty()) {
            return heat();
        }
        Task task = tasks.get(random.nextInt(tasks.size()));
        return switch (task.order()) {
            case Task.Order.Prepare _ -> new Report.TaskPrepared(task.attempt(), task.rank());
            case Task.Order.Run _ ->
                    random.nextBoolean()
                            ? new Report.TaskRunning(task.attempt(), task.rank())
                            : new Report.TaskEnded(
                                    task.attempt(),
                                    task.rank(),
                                    new Exit(Exit.How.EXITED, random.nextInt(3) / 2, ""));
            case Task.Order.Stop _ ->
                    new Report.TaskEnded(
                            task.attempt(), task.rank(), new Exit(Exit.How.STOPPED, 143, ""));
        };
    }

    private Input heat() {
        Heat heat = Heat.values()[random.nextInt(3)];
        boolean fit = random.nextInt(10) > 0;
        return new Report.GpuChanged(
                someNode(),
                random.nextInt(8),
                new GpuCondition(heat, fit, fit ? "" : "fell off the bus"));
    }

    private static Input hello(int number) {
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < 8; i++) {
            gpus.add(new Gpu(i, new GpuModel("A100", 81_920), 81_920, "GPU-" + number + "-" + i));
        }
        var node =
                new Node(
                        new NodeId("node-" + number),
                        agent(number),
                        "10.0.0." + number,
                        gpus,
                        Topology.FLAT,
                        Resources.cores(64, 512_000),
                        List.of(),
                        Labels.of("zone", "z" + number % 2));
        return new Report.Hello(
                new Agent(agent(number), Agent.Custody.SELF_FENCING, 0), List.of(node), List.of());
    }

    private JobSpec spec() {
        int tasks = random.nextInt(4) == 0 ? 2 : 1;
        Shape shape =
                Shape.of(
                        GpuRequest.whole(random.nextInt(5), 16_000),
                        Resources.cores(1 + random.nextInt(8), 1000));
        String name = "train-" + random.nextInt(100);
        return JobSpec.builder(new TenantId(someTenant()), List.of(Role.of(shape, tasks)))
                .name(name)
                .priority(random.nextInt(1000))
                .kind("train")
                .limit(Duration.ofMinutes(random.nextInt(100)))
                .payload(
                        new Payload(
                                "nvidia-smi", List.of(), List.of(), Labels.of("A", "b"), "", ""))
                .labels(Labels.of("team", "x"))
                .build();
    }

    private static Tenant tenant(String id, int gpus) {
        return new Tenant(
                new TenantId(id),
                null,
                Limits.ZERO,
                new Limits(
                        gpus * 1000L,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED),
                1,
                new PreemptionRules(true, true, 0),
                true,
                Labels.of("name", "Team " + id).with("email", id + "@example.com"));
    }

    /// Half of the time a parent, perhaps an invalid one.
    private @Nullable TenantId someParent() {
        return random.nextBoolean() ? null : new TenantId(someTenant());
    }

    private static Tenant under(@Nullable TenantId parent, Tenant tenant) {
        return new Tenant(
                tenant.id(),
                parent,
                tenant.guaranteed(),
                tenant.limit(),
                tenant.weight(),
                tenant.rules(),
                tenant.active(),
                tenant.profile());
    }

    private static AgentId agent(int number) {
        return new AgentId("agent-" + number);
    }

    private NodeId someNode() {
        return new NodeId("node-" + random.nextInt(NODES));
    }

    private String someTenant() {
        return TENANTS.get(random.nextInt(TENANTS.size()));
    }

    private JobId someJob() {
        long last = cell.engine().state().jobs().last();
        return new JobId(1 + random.nextLong(Math.max(1, last)));
    }
}
