package io.gpusched.lab.compare;

import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioCarbon;
import io.gpusched.sim.scenario.ScenarioPolicy;

/// One run of a comparison: a policy, a workload and a seed.
///
/// @param intensitySource the carbon intensity of electricity
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

    /// Raised when the same run gives other figures than in earlier releases.
    private static final String VERSION = "2";

    /// A fingerprint of everything that the result depends on, including the program.
    String print() {
        return Fingerprints.of(
                VERSION + ProgramVersion.print(),
                labWorkload.print(),
                policyVariant.name(),
                Long.toString(seed),
                intensitySource.print());
    }

    /// The settings of the run: policies that wait for clean power get the true carbon intensity as
    /// their forecast.
    ScenarioPolicy rules(Scenario scenario) {
        ScenarioCarbon carbon = scenario.scenarioPolicy().carbon();
        return policyVariant
                .rules(scenario.scenarioPolicy())
                .withCarbon(carbon.with(intensitySource.gridIntensity(), scenario.start()));
    }

    /// The file that keeps its result.
    String file() {
        return "%s--%s--seed-%d.json".formatted(labWorkload.fileName(), policyVariant.name(), seed);
    }

    /// The number of jobs.
    public long jobs() {
        return labWorkload.under(seed).jobs().size();
    }

    @Override
    public String toString() {
        return labWorkload.name() + ", " + policyVariant.name() + ", seed " + seed;
    }
}
