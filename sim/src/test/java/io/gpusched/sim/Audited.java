package io.gpusched.sim;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.core.explain.Explainer;
import io.gpusched.sim.audit.Auditor;
import io.gpusched.sim.report.ReportCounter;
import io.gpusched.sim.report.RunReport;
import io.gpusched.sim.report.Timeline;
import io.gpusched.sim.scenario.Scenario;

import java.util.ArrayList;
import java.util.List;

/// A finished simulation under the auditor's eyes, with everything a test may want to look at.
///
/// @param batchesBefore for each step, how many batches there were before it
record Audited(
        List<String> timeline,
        List<Batch> batches,
        List<Simulation.Step> steps,
        List<Integer> batchesBefore,
        RunReport runReport,
        long digest) {
    static Audited run(Scenario scenario, long seed) {
        return run(scenario, seed, scenario.scenarioPolicy().toSettings(), List.of());
    }

    static Audited run(Scenario scenario, long seed, EngineSettings settings, List<Listener> more) {
        var lines = new ArrayList<String>();
        var batches = new ArrayList<Batch>();
        var steps = new ArrayList<Simulation.Step>();
        var before = new ArrayList<Integer>();
        var auditor = new Auditor();
        var reportCounter = new ReportCounter(scenario.scenarioPolicy().checkpointEvery());
        var timeline = new Timeline(scenario.start(), lines::add);
        var listeners = new ArrayList<Listener>(List.of(auditor, reportCounter, timeline));
        listeners.add((batch, cycleResult) -> batches.add(batch));
        listeners.addAll(more);
        var simulation =
                new Simulation(
                        scenario, scenario.scenarioPolicy().toPolicy(), settings, seed, listeners);
        simulation.watch(
                step -> {
                    steps.add(step);
                    before.add(batches.size());
                });
        timeline.explainBy(
                (job, waits, at) -> new Explainer(simulation.cell().engine(), at).why(job));
        simulation.onRefusal(
                refusedAction ->
                        timeline.refused(
                                refusedAction.at(),
                                refusedAction.input(),
                                refusedAction.problems()));
        simulation.start();
        while (simulation.step()) {
            auditor.compare(simulation.cell().engine().state());
        }
        auditor.settle();
        return new Audited(
                lines,
                batches,
                steps,
                before,
                reportCounter.report(
                        scenario.name(),
                        scenario.scenarioPolicy().policy(),
                        seed,
                        simulation.end()),
                simulation.cell().engine().digest());
    }
}
