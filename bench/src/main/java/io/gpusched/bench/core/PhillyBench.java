package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;
import io.gpusched.sim.Simulation;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.ClusterDelays;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.trace.PhillyReader;
import io.gpusched.sim.trace.TraceJob;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The largest public trace of a GPU cluster that queues, from the first job to the last.
public final class PhillyBench implements Bench {
    private static final int NODES = 80;
    private static final int GPUS = 8;
    private static final String FILE = "../shared/traces/philly/philly_jobs.csv.gz";

    private final Path root;

    /// @param root of the project, beside which the trace lies
    public PhillyBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "philly";
    }

    @Override
    public String title() {
        return "the Philly trace, simulated";
    }

    @Override
    public String page() {
        return "lab";
    }

    @Override
    public String how() {
        return """
        All jobs of the Philly trace, which is no part of this project, on %s nodes of %s GPUs in the
        whole simulator with its agents, under `fifo` with a reservation for the head of the queue,
        without an auditor and without time limits, in a JVM that has run the first 5,000 jobs
        before. Reading the trace is not measured. Time is that of the one thread on the processor;
        the clock is given beside it. Memory is what is in use after a collection, when a half of the
        simulated time is over and at the end.\
        """
                .formatted(NODES, GPUS);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) {
        List<TraceJob> jobs = PhillyReader.read(root.resolve(FILE)).jobs();
        simulate(jobs.subList(0, 5_000), new ArrayList<>());
        List<TraceJob> measured =
                thoroughness == Thoroughness.QUICK ? jobs.subList(0, 5_000) : jobs;
        var heaps = new ArrayList<Double>();
        var events = new long[1];
        Stopwatch took = Stopwatch.seconds(() -> events[0] = simulate(measured, heaps));
        return List.of(
                Figure.of("time for the whole trace", took.onProcessor(), "s", Target.atMost(10))
                        .withNote(measured.size() + " jobs"),
                Figure.beside("the same on the clock of a shared machine", took.onTheClock(), "s"),
                Figure.beside("events", events[0] / took.onProcessor(), "events/s"),
                Figure.beside("memory in use, halfway", heaps.getFirst(), "MB"),
                Figure.beside("memory in use, at the end", heaps.getLast(), "MB"));
    }

    private static long simulate(List<TraceJob> jobs, List<Double> heaps) {
        Scenario scenario = scenario(jobs);
        Instant half = jobs.get(jobs.size() / 2).submitted();
        var events = new long[1];
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        1,
                        List.of((batch, cycleResult) -> events[0] += batch.size()));
        simulation.start();
        while (simulation.step()) {
            if (heaps.isEmpty() && simulation.now().isAfter(half)) {
                heaps.add(heap());
            }
        }
        heaps.add(heap());
        return events[0];
    }

    private static double heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }

    private static Scenario scenario(List<TraceJob> jobs) {
        Instant start = jobs.getFirst().submitted();
        var tenants = new TreeMap<String, Tenant>();
        var arrivals = new ArrayList<Arrival>();
        for (TraceJob job : jobs) {
            var whose = new TenantId(job.tenant());
            if (job.ask().gpus() <= NODES * GPUS) {
                tenants.computeIfAbsent(job.tenant(), name -> Tenant.unlimited(whose));
                arrivals.add(
                        new Arrival(
                                Duration.between(start, job.submitted()),
                                job.spec(whose, GPUS, Interruption.DEFAULT),
                                false,
                                HiddenTruth.succeedsAfter(job.runtime())));
            }
        }
        return new Scenario(
                "philly",
                "",
                start,
                Duration.ofDays(36_500),
                ScenarioPolicy.DEFAULT.withPolicy("fifo"),
                ClusterDelays.DEFAULT,
                nodes(),
                List.copyOf(tenants.values()),
                arrivals,
                List.of(),
                List.of(),
                List.of());
    }

    private static List<Node> nodes() {
        var nodes = new ArrayList<Node>();
        for (int n = 0; n < NODES; n++) {
            var gpus = new ArrayList<Gpu>();
            for (int i = 0; i < GPUS; i++) {
                gpus.add(new Gpu(i, new GpuModel("P100", 0), 16 * 1024, "n" + n + "-" + i));
            }
            nodes.add(
                    new Node(
                            new NodeId("n" + n),
                            new AgentId("n" + n),
                            "",
                            gpus,
                            Topology.FLAT,
                            Resources.cores(64, 512 * 1024),
                            List.of(),
                            Labels.NONE));
        }
        return nodes;
    }
}
