package io.gpusched.lab.fgd;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.PlacementStrategy;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.policy.filter.HostFull;
import io.gpusched.core.policy.filter.TooSmall;
import io.gpusched.core.policy.filter.WrongModel;
import io.gpusched.core.policy.order.FifoOrder;
import io.gpusched.core.policy.preempt.NoPreemption;
import io.gpusched.sim.trace.BadTrace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/// One run of the fragmentation experiment: pods arrive one by one at a cell with one placement
/// strategy, and the run records the share of GPUs in use after each arrival.
///
/// Machines join in the order of their ranks. The core breaks ties by the order of the ledger, so
/// the lowest rank wins, as in the published simulator.
public final class FgdExperiment {
    /// Time does not advance: nothing runs, so nothing may become overdue.
    private static final Instant NOW = Instant.parse("2023-07-01T00:00:00Z");

    /// No machine takes more pods than this.
    private static final int MOST_PODS = 1001;

    private static final Filter FULL =
            (shape, node) ->
                    node.tasks() < MOST_PODS
                            ? null
                            : Refusal.untilCapacity("pods", "node has as many pods as it may");

    private final FgdTrace fgdTrace;
    private final Cell cell;
    private final Map<Shape, JobSpec> specs = new LinkedHashMap<>();
    private CycleResult last = CycleResult.nothing(Instant.EPOCH);
    private long candidates;

    public FgdExperiment(FgdTrace fgdTrace, PlacementStrategy placementStrategy, int seed) {
        this.fgdTrace = fgdTrace;
        var policy =
                Policy.builder(
                                placementStrategy.name(),
                                new FifoOrder(),
                                placementStrategy.fitter(),
                                new NoPreemption())
                        .filters(List.of(new WrongModel(), new TooSmall(), new HostFull(), FULL))
                        .scorers(placementStrategy.scorers())
                        .breadth(placementStrategy.breadth())
                        .build();
        cell =
                Cell.detached(
                        new Engine(policy, EngineSettings.DEFAULT),
                        (batch, cycleResult) -> {
                            last = cycleResult;
                            candidates += cycleResult.work().candidatesScored();
                        });
        cell.takeCharge(1, "lab", "fgd", NOW);
        cell.handle(List.of(hello(Objects.requireNonNull(fgdTrace.ranks().get(seed)))), NOW);
    }

    private Report.Hello hello(int[] rank) {
        var agent = new Agent(new AgentId("cluster"), Agent.Custody.EXTERNAL, 0);
        var nodes = new ArrayList<Node>();
        IntStream.range(0, rank.length)
                .boxed()
                .sorted(Comparator.comparingInt(row -> rank[row]))
                .forEach(row -> nodes.add(node(fgdTrace.machines().get(row), agent.id())));
        return new Report.Hello(agent, nodes, List.of());
    }

    private static Node node(FgdTrace.Machine machine, AgentId agent) {
        return new Node(
                new NodeId(machine.name()),
                agent,
                "",
                machine.gpus(),
                Topology.FLAT,
                machine.host(),
                List.of(),
                Labels.NONE);
    }

    /// Runs all arrivals of the seed. Column k is the mean share of GPUs in use, in percent, over
    /// the arrivals that raised the requested GPUs to k percent of all GPUs.
    public AllocationCurve run(int seed) {
        var allocationCurve = new AllocationCurve();
        double all = fgdTrace.gpus() * 1000.0;
        long arrived = 0;
        long used = 0;
        for (int row : Objects.requireNonNull(fgdTrace.orders().get(seed))) {
            Shape pod = fgdTrace.pods().get(row);
            long wanted = pod.gpus().milliGpus();
            arrived += wanted;
            used += arrive(pod) ? wanted : 0;
            allocationCurve.add(100 * arrived / all, 100 * used / all);
        }
        return allocationCurve;
    }

    /// The number of scored candidates.
    public long candidates() {
        return candidates;
    }

    /// Whether the pod was placed. A pod that does not fit is dropped.
    private boolean arrive(Shape pod) {
        JobSpec spec = specs.computeIfAbsent(pod, FgdExperiment::spec);
        Answer answer =
                cell.handle(List.of(new Command.Submit(spec, "", 0, false, "lab")), NOW).getFirst();
        JobId job =
                answer instanceof Answer.Accepted accepted
                        ? Objects.requireNonNull(accepted.job())
                        : null;
        if (job == null) {
            throw new BadTrace("a pod was refused: " + answer);
        }
        if (last.attempts().get(job) instanceof TurnOutcome.Placed) {
            return true;
        }
        cell.handle(List.of(new Command.Cancel(job, "lab")), NOW);
        return false;
    }

    private static JobSpec spec(Shape pod) {
        return JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(pod, 1)))
                .name("pod")
                .kind("pod")
                .build();
    }
}
