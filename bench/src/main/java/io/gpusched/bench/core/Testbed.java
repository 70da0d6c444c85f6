package io.gpusched.bench.core;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Journal;
import io.gpusched.core.cell.Launcher;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.wire.codec.SettingsText;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/// A whole cell with the default policy, whose nodes have 8 GPUs each and whose clock is turned by
/// hand: one millisecond per call.
public final class Testbed {
    public static final int GPUS_PER_NODE = 8;

    private final Cell cell;
    private Instant now;
    private CycleResult.Work work = CycleResult.Work.NONE;
    private long assignments;
    private long events;

    /// Over a journal in memory.
    public Testbed(int nodes, List<TenantId> tenants) {
        this(new MemoryJournal(), 1, assignment -> {}, Instant.parse("2026-01-01T00:00:00Z"));
        open(nodes, tenants);
    }

    /// With a journal in memory, another placement strategy, and labels for each node.
    public Testbed(PlacementSettings placement, int nodes, IntFunction<Labels> labels) {
        this(
                new MemoryJournal(),
                1,
                assignment -> {},
                Instant.parse("2026-01-01T00:00:00Z"),
                placement);
        handle(List.of(hello(nodes, labels)));
    }

    /// Over a journal that is empty and takes batches of `term`.
    public Testbed(Journal journal, long term, Launcher launcher, Instant begin) {
        this(journal, term, launcher, begin, PlacementSettings.DEFAULT);
    }

    private Testbed(
            Journal journal,
            long term,
            Launcher launcher,
            Instant begin,
            PlacementSettings placement) {
        now = begin;
        var settings =
                EngineSettings.builder().policy(PolicySettings.DEFAULT.with(placement)).build();
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        cell =
                new Cell(
                        new Engine(policy, settings),
                        journal,
                        assignment -> {
                            assignments++;
                            launcher.assign(assignment);
                        },
                        (batch, cycleResult) -> {
                            events += batch.size();
                            add(cycleResult.work());
                        });
        cell.takeCharge(term, "bench", SettingsText.write("priority", settings, ""), now);
    }

    /// What opens an empty cell: nodes of 8 GPUs and tenants without limits.
    static List<Input> opening(int nodes, List<TenantId> tenants) {
        var inputs = new ArrayList<Input>();
        inputs.add(hello(nodes, number -> Labels.NONE));
        tenants.forEach(
                id -> inputs.add(new Command.PutTenant(Tenant.unlimited(id), true, "bench")));
        return inputs;
    }

    /// Lets nodes and tenants join.
    public void open(int nodes, List<TenantId> tenants) {
        handle(List.of(hello(nodes, number -> Labels.NONE)));
        put(tenants);
    }

    /// Makes tenants without limits.
    public void put(List<TenantId> tenants) {
        var puts = new ArrayList<Input>();
        tenants.forEach(id -> puts.add(new Command.PutTenant(Tenant.unlimited(id), true, "bench")));
        handle(puts);
    }

    private void add(CycleResult.Work more) {
        work = work.plus(more);
    }

    /// What one call of the cell answers.
    public List<Answer> handle(List<Input> inputs) {
        now = now.plusMillis(1);
        return cell.handle(inputs, now);
    }

    /// Lets time pass until the next call.
    public void pass(Duration time) {
        now = now.plus(time);
    }

    public Engine engine() {
        return cell.engine();
    }

    public Instant now() {
        return now;
    }

    public static Command.Submit submit(JobSpec spec) {
        return new Command.Submit(spec, "", 0, false, "bench");
    }

    public int running() {
        return cell.engine().state().runs().size();
    }

    public long waiting() {
        return cell.engine().state().waitingJobs();
    }

    public int classes() {
        return cell.engine().state().queue().classes();
    }

    /// Work of all cycles so far.
    public CycleResult.Work work() {
        return work;
    }

    /// Events in the journal so far.
    public long events() {
        return events;
    }

    /// The number of assignments sent to nodes.
    public long assignments() {
        return assignments;
    }

    private static Report.Hello hello(int count, IntFunction<Labels> labels) {
        var agent = new Agent(new AgentId("fleet"), Agent.Custody.SELF_FENCING, 0);
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < count; i++) {
            nodes.add(node("node-" + i, agent.id(), labels.apply(i)));
        }
        return new Report.Hello(agent, nodes, List.of());
    }

    private static Node node(String name, AgentId agent, Labels labels) {
        var model = GpuModel.parse("A100-80GB");
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < GPUS_PER_NODE; i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), name + "-gpu-" + i));
        }
        return new Node(
                new NodeId(name),
                agent,
                "127.0.0.1",
                gpus,
                Topology.FLAT,
                Resources.cores(64, 512 * 1024),
                List.of(),
                labels);
    }
}
