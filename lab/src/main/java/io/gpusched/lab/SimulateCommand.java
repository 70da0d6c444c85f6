package io.gpusched.lab;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.model.Plurals;
import io.gpusched.sim.Simulation;
import io.gpusched.sim.audit.Auditor;
import io.gpusched.sim.report.ReportCounter;
import io.gpusched.sim.report.ReportText;
import io.gpusched.sim.report.RunReport;
import io.gpusched.sim.report.Timeline;
import io.gpusched.sim.scenario.BadScenario;
import io.gpusched.sim.scenario.GeneratedJobs;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioDurations;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.store.JournalFile;
import io.gpusched.store.StoreException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;

/// `lab simulate`: runs one scenario under one policy and prints its metrics.
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs one scenario under one policy in simulated time, with the production scheduler.",
            "",
            "The same scenario, policy and seed always give the same result.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab simulate scenarios/busy-day.yaml",
            "  lab simulate scenarios/busy-day.yaml --policy fifo --seed 7 --json day.json",
            "  lab simulate scenarios/quota-wait.yaml --timeline",
            "",
            "docs/guide/scenarios.md describes scenario files."
        })
final class SimulateCommand implements Callable<Integer> {
    /// The names of all policies, for help and completion.
    static final class PolicyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ScenarioPolicy.NAMES.iterator();
        }
    }

    /// The names of all placement strategies, for help and completion.
    static final class PlacerNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return PlacementStrategies.NAMES.iterator();
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "SCENARIO", description = "Scenario file in YAML.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            completionCandidates = PolicyNames.class,
            description = {
                "Scheduling policy (default: the scenario's policy).",
                "One of ${COMPLETION-CANDIDATES}.",
                "Append -carbon to any of them except random, srtf and las to hold jobs back",
                "until power is clean, by the scenario's carbon section."
            })
    private @Nullable String policy;

    @Mixin private ModelOption model = new ModelOption();

    @Option(
            names = {"--placement", "--placer"},
            paramLabel = "NAME",
            completionCandidates = PlacerNames.class,
            description = {
                "Placement strategy (default: the scenario's placement).",
                "One of ${COMPLETION-CANDIDATES}."
            })
    private @Nullable String placement;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the random number generator (default ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description =
                    "Number of jobs to draw in all, in the scenario's proportions (default: the"
                            + " scenario's number).")
    private @Nullable Integer jobs;

    @Option(names = "--timeline", description = "Print every event, one line each.")
    private boolean timeline;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the figures to this file as JSON; - prints only JSON.")
    private @Nullable String json;

    @Option(
            names = "--journal",
            paramLabel = "FILE",
            description = {
                "Write the journal to this file as JSON lines, for lab what-if;",
                "compressed with gzip if the name ends in .gz."
            })
    private @Nullable Path journal;

    @Option(
            names = "--no-audit",
            description = "Do not check the scheduler's invariants after every event (faster).")
    private boolean unwatched;

    private long refusals;

    @Override
    public Integer call() {
        Scenario scenario = scenario();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        boolean alone = "-".equals(json);
        long began = System.nanoTime();
        var reportCounter = new ReportCounter(scenario.scenarioPolicy().checkpointEvery());
        Simulation simulation = recorded(scenario, reportCounter, alone ? err : out);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        RunReport runReport =
                reportCounter.report(
                        scenario.name(),
                        scenario.scenarioPolicy().policy(),
                        seed,
                        simulation.end());
        if (alone) {
            out.print(ReportText.json(runReport));
        } else {
            out.print(ReportText.plain(runReport));
            write(runReport);
        }
        out.flush();
        if (refusals > 0) {
            err.println(
                    "warning: the scheduler refused "
                            + Plurals.of(refusals, "request")
                            + "; --timeline shows which and why");
        }
        err.println(speed(Duration.between(scenario.start(), simulation.end()), took));
        return 0;
    }

    private Scenario scenario() {
        Scenario scenario = ruled(read());
        if (jobs != null && jobs < 1) {
            throw new UserError("--jobs: expected at least 1, found " + jobs);
        }
        if (jobs != null && jobs > ScenarioFile.MOST_JOBS) {
            throw new UserError(
                    "--jobs: expected at most " + ScenarioFile.MOST_JOBS + ", found " + jobs);
        }
        return jobs == null ? scenario : withJobs(scenario, jobs);
    }

    private Scenario read() {
        try {
            return ScenarioFile.read(file);
        } catch (BadScenario bad) {
            throw new UserError(file + ": " + bad.getMessage());
        }
    }

    /// The scenario under the rules that the options choose.
    private Scenario ruled(Scenario scenario) {
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        scenarioPolicy = policy == null ? scenarioPolicy : scenarioPolicy.withPolicy(policy);
        scenarioPolicy = placement == null ? scenarioPolicy : scenarioPolicy.withPlacer(placement);
        scenarioPolicy = scenarioPolicy.withLearned(model.over(scenarioPolicy.learned()));
        try {
            scenarioPolicy.toPolicy();
        } catch (BadScenario bad) {
            throw new UserError(blamed(bad) + bad.what());
        }
        return scenario.withRules(scenarioPolicy);
    }

    /// The part that is wrong: the option if it was given, else the place in the file.
    private String blamed(BadScenario bad) {
        if (policy != null && bad.where().equals(ScenarioPolicy.POLICY)) {
            return "--policy: ";
        }
        if (placement != null && bad.where().equals(ScenarioPolicy.PLACEMENT)) {
            return "--placement: ";
        }
        return file + ": " + bad.where() + ": ";
    }

    private static Scenario withJobs(Scenario scenario, int wanted) {
        int drawn = scenario.workloads().stream().mapToInt(work -> work.count()).sum();
        if (drawn == 0) {
            throw new UserError(
                    "--jobs: expected a scenario with a workload section, found one that lists its"
                            + " jobs");
        }
        // Shares are rounded where they end, so that together they are as many as are wanted.
        var resized = new ArrayList<GeneratedJobs>();
        long upTo = 0;
        int given = 0;
        for (GeneratedJobs work : scenario.workloads()) {
            upTo += work.count();
            int total = (int) (upTo * wanted / drawn);
            resized.add(work.withCount(total - given));
            given = total;
        }
        return scenario.withWorkloads(resized);
    }

    private Simulation recorded(Scenario scenario, ReportCounter reportCounter, PrintWriter lines) {
        if (journal == null) {
            return run(scenario, reportCounter, lines, List.of());
        }
        try (var writer = JournalFile.Writer.create(journal)) {
            Listener writing = (batch, cycleResult) -> writer.add(batch);
            Simulation simulation = run(scenario, reportCounter, lines, List.of(writing));
            writer.finish();
            return simulation;
        } catch (StoreException e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
    }

    private Simulation run(
            Scenario scenario,
            ReportCounter reportCounter,
            PrintWriter lines,
            List<Listener> more) {
        var listeners = new ArrayList<>(more);
        var auditor = new Auditor();
        if (!unwatched) {
            listeners.add(auditor);
        }
        listeners.add(reportCounter);
        var story = new Timeline(scenario.start(), lines::println);
        if (timeline) {
            listeners.add(story);
        }
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        seed,
                        listeners);
        story.explainBy(
                (job, waits, at) ->
                        new Explainer(simulation.cell().engine(), at).explain(job).reasons());
        simulation.onRefusal(
                no -> {
                    refusals++;
                    if (timeline) {
                        story.refused(no.at(), no.input(), no.problems());
                    }
                });
        try (var progress = Progress.of(scenario.arrivals(seed).size(), timeline)) {
            simulation.start();
            while (simulation.step()) {
                progress.show(
                        reportCounter.ended(),
                        Duration.between(scenario.start(), simulation.now()));
            }
        }
        if (!unwatched) {
            auditor.settle();
        }
        if (timeline) {
            lines.println();
        }
        return simulation;
    }

    private void write(RunReport runReport) {
        if (json == null) {
            return;
        }
        Output.write(Path.of(json), ReportText.json(runReport));
    }

    private static String speed(Duration simulated, Duration took) {
        long factor = simulated.toMillis() / Math.max(1, took.toMillis());
        return "simulated %s in %s, %,d times as fast as real time"
                .formatted(
                        ScenarioDurations.rough(simulated), ScenarioDurations.rough(took), factor);
    }
}
