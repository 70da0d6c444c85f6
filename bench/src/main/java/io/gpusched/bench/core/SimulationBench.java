package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.core.cell.Listener;
import io.gpusched.sim.Simulation;
import io.gpusched.sim.audit.Auditor;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The speed of the simulator, as a multiple of real time.
public final class SimulationBench implements Bench {
    private static final String FILE = "scenarios/busy-day.yaml";

    /// What one run of the day was.
    private record Day(double simulated, double took, long events) {
        double factor() {
            return simulated / took;
        }
    }

    private final Path root;

    /// @param root of the project, where the scenarios are
    public SimulationBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "simulation";
    }

    @Override
    public String title() {
        return "a busy day of a shared cluster, simulated";
    }

    @Override
    public String page() {
        return "spine";
    }

    @Override
    public String how() {
        return """
        `%s` from its first job to its last: 600 jobs of three tenants on 16 nodes, with node loss
        and other trouble, through the core, the simulated agents and the auditor, which checks all
        invariants after every event. Simulated time is divided by time on the clock. The first run is
        the first of its JVM, as after `bin/lab simulate`; the others are warm.\
        """
                .formatted(FILE);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) {
        Day first = live(true);
        var watched = new ArrayList<Double>();
        var alone = new ArrayList<Double>();
        for (int i = 0; i < thoroughness.pick(15, 1); i++) {
            watched.add(live(true).factor());
            alone.add(live(false).factor());
        }
        return List.of(
                Figure.of("first run, audited", first.factor(), "x", Target.atLeast(2_000))
                        .withNote(
                                "%.1f h in %.2f s, %,d events"
                                        .formatted(
                                                first.simulated() / 3600,
                                                first.took(),
                                                first.events())),
                Figure.beside("warm, audited, median", median(watched), "x"),
                Figure.beside("warm, without the auditor, median", median(alone), "x"));
    }

    private Day live(boolean audited) {
        Scenario scenario = ScenarioFile.read(root.resolve(FILE));
        var auditor = new Auditor();
        var events = new long[1];
        var listeners = new ArrayList<Listener>();
        listeners.add((batch, cycleResult) -> events[0] += batch.size());
        if (audited) {
            listeners.add(auditor);
        }
        long began = System.nanoTime();
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        1,
                        listeners);
        simulation.run();
        if (audited) {
            auditor.settle();
        }
        double took = (System.nanoTime() - began) / 1e9;
        Duration simulated = Duration.between(scenario.start(), simulation.end());
        return new Day(simulated.toMillis() / 1e3, took, events[0]);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
