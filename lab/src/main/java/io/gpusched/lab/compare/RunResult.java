package io.gpusched.lab.compare;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Check;
import io.gpusched.sim.Simulation;
import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.metrics.RunMeasurements;
import io.gpusched.sim.metrics.RunMeter;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;

import java.util.List;
import java.util.function.LongConsumer;

/// The result of one run.
public record RunResult(PolicyRun policyRun, RunMeasurements runMeasurements) {
    private static final int EVERY = 256;

    /// The number of jobs that the scheduler refused.
    public long refused() {
        return Math.round(runMeasurements.all().of(Metric.REFUSED));
    }

    /// Runs it, which takes a while.
    ///
    /// @param progress receives the number of ended jobs from time to time
    static RunResult find(PolicyRun policyRun, LongConsumer progress) {
        Scenario scenario = policyRun.labWorkload().under(policyRun.seed());
        ScenarioPolicy scenarioPolicy = policyRun.rules(scenario);
        var runMeter =
                new RunMeter(
                        policyRun.intensitySource().gridIntensity(),
                        scenarioPolicy.checkpointEvery());
        var simulation =
                new Simulation(
                        scenario,
                        scenarioPolicy.toPolicy(),
                        scenarioPolicy.toSettings(),
                        policyRun.seed(),
                        List.of(runMeter));
        simulation.onRefusal(
                refusedAction -> {
                    if (refusedAction.input() instanceof Command.Submit submit) {
                        runMeter.refused(submit.spec());
                    }
                });
        simulation.start();
        int steps = 0;
        while (simulation.step()) {
            if (++steps % EVERY == 0) {
                progress.accept(runMeter.ended());
                Check.that(!Thread.currentThread().isInterrupted(), "stopped from outside");
            }
        }
        return new RunResult(policyRun, runMeter.measured(simulation.end()));
    }
}
