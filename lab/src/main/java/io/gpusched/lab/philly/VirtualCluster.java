package io.gpusched.lab.philly;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.order.LeastAttainedOrder;
import io.gpusched.core.policy.order.ShortestRemainingOrder;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.trace.TraceBehaviour;
import io.gpusched.sim.trace.TraceJob;
import io.gpusched.sim.trace.TraceOutcome;
import io.gpusched.sim.trace.TraceRun;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One virtual cluster with nodes of 8 GPUs, and the jobs that were submitted to it. How long each
/// runs is known beforehand: it is its time limit.
///
/// @param jobs in the order of their submission
public record VirtualCluster(List<TraceJob> jobs, int nodes) {
    /// The policies of the published table.
    public static final List<String> POLICIES = List.of("fifo", "sjf", "srtf", "tiresias");

    private static final int GPUS = 8;

    /// The cost of a preemption, for jobs of one node and for larger ones.
    private static final Duration RESTART = Duration.ofSeconds(40);

    private static final Duration LARGE_RESTART = Duration.ofSeconds(60);

    /// The published simulator notices that work is done a second later where it preempts.
    private static final Duration TICK = Duration.ofSeconds(1);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    public VirtualCluster {
        jobs = List.copyOf(jobs);
    }

    /// Runs the jobs under a policy.
    ///
    /// @param rounds whether `srtf` and `tiresias` choose in rounds, as published, or by the rule
    ///        of the core
    public Outcome run(String policy, boolean rounds) {
        return switch (policy) {
            case "fifo" -> plain("fifo-strict", TraceBehaviour.PLAIN);
            case "sjf" -> plain("sjf-strict", TraceBehaviour.PLAIN);
            case "srtf" ->
                    preemptive("srtf", new ShortestRemainingOrder(RESTART), Duration.ZERO, rounds);
            case "tiresias" ->
                    preemptive(
                            "las",
                            new LeastAttainedOrder(LeastAttainedOrder.USUAL),
                            MINUTE,
                            rounds);
            default -> plain(policy, manners(Duration.ZERO));
        };
    }

    /// The cost of preemptions, for a scheduler that receives events at multiples of `grid`.
    public static TraceBehaviour manners(Duration grid) {
        return new TraceBehaviour(
                grid, TICK, job -> job.ask().gpus() <= GPUS ? RESTART : LARGE_RESTART);
    }

    private Outcome plain(String name, TraceBehaviour traceBehaviour) {
        return outcome(
                new TraceRun(told(), cluster(), named(name), EngineSettings.DEFAULT, traceBehaviour)
                        .run());
    }

    private Outcome preemptive(String name, PreemptiveOrder order, Duration grid, boolean rounds) {
        if (!rounds) {
            return plain(name, manners(grid));
        }
        Policy base = named(name);
        var choice = new RoundScheduler(order, nodes * GPUS, name.equals("srtf"));
        var gates = new ArrayList<Gate>(base.gates());
        gates.add(choice);
        var policy =
                Policy.builder(name + "-rounds", order, base.fitter(), choice)
                        .gates(gates)
                        .filters(base.filters())
                        .scorers(base.scorers())
                        .backfill(base.backfill())
                        .breadth(base.breadth())
                        .build();
        var settings = EngineSettings.builder().wakeEverything(true).build();
        var run = new TraceRun(told(), cluster(), policy, settings, manners(grid));
        choice.among(run.present());
        return outcome(run.run());
    }

    private static Policy named(String name) {
        Policy policy = Policies.named(name, ScenarioPolicy.DEFAULT.toSettings().policy());
        if (policy == null) {
            throw new IllegalArgumentException("no policy " + name);
        }
        return policy;
    }

    /// The jobs as the policies see them.
    private List<TraceJob> told() {
        return jobs.stream()
                .map(
                        job ->
                                new TraceJob(
                                        job.name(),
                                        job.tenant(),
                                        job.submitted(),
                                        job.runtime(),
                                        job.runtime(),
                                        job.ask()))
                .toList();
    }

    /// The nodes.
    public List<Node> cluster() {
        var all = new ArrayList<Node>();
        for (int i = 0; i < nodes; i++) {
            var cards = new ArrayList<Gpu>();
            for (int gpu = 0; gpu < GPUS; gpu++) {
                cards.add(new Gpu(gpu, new GpuModel("P100", 0), 16 * 1024, "gpu-" + i + "-" + gpu));
            }
            all.add(
                    new Node(
                            new NodeId("node-" + i),
                            TraceRun.AGENT,
                            "",
                            cards,
                            Topology.FLAT,
                            Resources.cores(64, 512 * 1024),
                            List.of(),
                            Labels.NONE));
        }
        return all;
    }

    /// Means over the jobs.
    public static Outcome outcome(List<TraceOutcome> fates) {
        double completion = 0;
        double queued = 0;
        double last = 0;
        long preemptions = 0;
        int ended = 0;
        for (TraceOutcome traceOutcome : fates) {
            Duration took = traceOutcome.completion();
            if (took == null) {
                continue;
            }
            ended++;
            completion += took.toMillis() / 1e3;
            queued += traceOutcome.queued().toMillis() / 1e3;
            Duration since =
                    Duration.between(
                            fates.getFirst().job().submitted(), traceOutcome.job().submitted());
            last = Math.max(last, since.plus(took).toMillis() / 1e3);
            preemptions += traceOutcome.preemptions();
        }
        return new Outcome(ended, completion / ended, queued / ended, last, preemptions);
    }

    /// Means over the jobs that ended.
    ///
    /// @param lastEnd seconds from the first submission to the last end
    public record Outcome(
            int jobs, double completion, double queued, double lastEnd, long preemptions) {}
}
