package io.gpusched.lab.compare;

import io.gpusched.sim.scenario.CarbonRules;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;

/// One run: who, on what, and the seed.
///
/// @param intensitySource what a kilowatt-hour stands for
public record PolicyRun(
        LabWorkload labWorkload,
        PolicyVariant policyVariant,
        long seed,
        IntensitySource intensitySource) {
    public PolicyRun {
        if (policyVariant.waitsForCleanPower() && intensitySource.gridIntensity().isConstant()) {
            throw new ComparisonError(
                    "%s needs to know when power is clean on %s: give a curve with --carbon FILE, or carbon.intensity in the scenario"
                            .formatted(policyVariant.name(), labWorkload.name()));
        }
    }

    /// Raised when the same run gives other figures than before.
    private static final String VERSION = "2";

    /// Changes with everything the answer depends on, the program too.
    String print() {
        return Fingerprints.of(
                VERSION + ProgramVersion.print(),
                labWorkload.print(),
                policyVariant.name(),
                Long.toString(seed),
                intensitySource.print());
    }

    /// The rules of the run: policies that wait for clean power foresee what will be paid.
    ScenarioPolicy rules(Scenario scenario) {
        CarbonRules carbon = scenario.scenarioPolicy().carbon();
        return policyVariant
                .rules(scenario.scenarioPolicy())
                .withCarbon(carbon.with(intensitySource.gridIntensity(), scenario.start()));
    }

    /// The file its answer is kept in.
    String file() {
        return "%s--%s--seed-%d.json".formatted(labWorkload.fileName(), policyVariant.name(), seed);
    }

    /// How many jobs come.
    public long jobs() {
        return labWorkload.under(seed).jobs().size();
    }

    @Override
    public String toString() {
        return labWorkload.name() + ", " + policyVariant.name() + ", seed " + seed;
    }
}
