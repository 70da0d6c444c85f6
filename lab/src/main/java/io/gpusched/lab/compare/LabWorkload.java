package io.gpusched.lab.compare;

import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.BadScenario;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.trace.FileProblem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A workload on a cluster, which every policy has to run.
///
/// @param print names what it was made from: the same print, the same course
/// @param most only so many jobs, the first ones; 0 for all
public record LabWorkload(String name, Scenario scenario, String print, int most) {
    /// A scenario file.
    public static LabWorkload of(Path file, int most) {
        try {
            Scenario scenario = ScenarioFile.read(file);
            String print = Fingerprints.of(Files.readString(file), "first " + most);
            return new LabWorkload(scenario.name(), scenario, print, most);
        } catch (BadScenario bad) {
            throw new ComparisonError(file + ": " + bad.getMessage());
        } catch (IOException e) {
            throw new ComparisonError(file + " cannot be read: " + FileProblem.with(e));
        }
    }

    /// The same, with so long for jobs to be held back in until power is clean.
    public LabWorkload withSlack(Duration slack) {
        ScenarioPolicy scenarioPolicy =
                scenario.scenarioPolicy()
                        .withCarbon(scenario.scenarioPolicy().carbon().withSlack(slack));
        return new LabWorkload(
                name,
                scenario.withRules(scenarioPolicy),
                Fingerprints.of(print, "slack " + slack),
                most);
    }

    /// Whether seeds draw other jobs, or other messages that are lost. Without chance one seed says
    /// all.
    public boolean isDrawn() {
        return scenario.hasChance();
    }

    /// Its name in the names of files.
    public String fileName() {
        return name.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    /// The scenario as it is run under a seed: every job is written down.
    Scenario under(long seed) {
        List<Arrival> arrivals = scenario.arrivals(seed);
        if (most > 0 && arrivals.size() > most) {
            arrivals = arrivals.subList(0, most);
        }
        return scenario.withWorkloads(List.of())
                .withScript(arrivals, scenario.faults(), scenario.actions());
    }
}
