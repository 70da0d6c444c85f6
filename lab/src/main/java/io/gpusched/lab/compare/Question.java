package io.gpusched.lab.compare;

import io.gpusched.sim.scenario.CarbonRules;
import io.gpusched.sim.scenario.Rules;
import io.gpusched.sim.scenario.Scenario;

/// One run: who, on what, and the seed.
///
/// @param air what a kilowatt-hour stands for
public record Question(Course course, Contestant contestant, long seed, Air air) {
    public Question {
        if (contestant.waitsForCleanPower() && air.intensity().isConstant()) {
            throw new Unanswerable(
                    "%s needs to know when power is clean on %s: give a curve with --carbon FILE, or carbon.intensity in the scenario"
                            .formatted(contestant.name(), course.name()));
        }
    }

    /// Raised when the same run gives other figures than before.
    private static final String VERSION = "2";

    /// Changes with everything the answer depends on, the program too.
    String print() {
        return Prints.of(
                VERSION + Program.print(),
                course.print(),
                contestant.name(),
                Long.toString(seed),
                air.print());
    }

    /// The rules of the run: policies that wait for clean power foresee what will be paid.
    Rules rules(Scenario scenario) {
        CarbonRules carbon = scenario.rules().carbon();
        return contestant
                .rules(scenario.rules())
                .withCarbon(carbon.with(air.intensity(), scenario.start()));
    }

    /// The file its answer is kept in.
    String file() {
        return "%s--%s--seed-%d.json".formatted(course.fileName(), contestant.name(), seed);
    }

    /// How many jobs come.
    public long jobs() {
        return course.under(seed).jobs().size();
    }

    @Override
    public String toString() {
        return course.name() + ", " + contestant.name() + ", seed " + seed;
    }
}
