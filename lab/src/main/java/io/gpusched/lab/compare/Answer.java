package io.gpusched.lab.compare;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Check;
import io.gpusched.sim.Simulation;
import io.gpusched.sim.metrics.Measured;
import io.gpusched.sim.metrics.Meter;
import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.scenario.Rules;
import io.gpusched.sim.scenario.Scenario;

import java.util.List;
import java.util.function.LongConsumer;

/// What came of a question.
public record Answer(Question question, Measured measured) {
    private static final int EVERY = 256;

    /// How many jobs the scheduler would not take.
    public long refused() {
        return Math.round(measured.all().of(Metric.REFUSED));
    }

    /// Runs it, which takes a while.
    ///
    /// @param progress hears now and then how many jobs have ended
    static Answer find(Question question, LongConsumer progress) {
        Scenario scenario = question.course().under(question.seed());
        Rules rules = question.rules(scenario);
        var meter = new Meter(question.air().intensity(), rules.checkpointEvery());
        var simulation =
                new Simulation(
                        scenario,
                        rules.toPolicy(),
                        rules.toSettings(),
                        question.seed(),
                        List.of(meter));
        simulation.onRefusal(
                refused -> {
                    if (refused.input() instanceof Command.Submit submit) {
                        meter.refused(submit.spec());
                    }
                });
        simulation.start();
        int steps = 0;
        while (simulation.step()) {
            if (++steps % EVERY == 0) {
                progress.accept(meter.ended());
                Check.that(!Thread.currentThread().isInterrupted(), "stopped from outside");
            }
        }
        return new Answer(question, meter.measured(simulation.end()));
    }
}
