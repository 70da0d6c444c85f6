package io.gpusched.lab.compare;

import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.RankingModel;
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
import java.util.function.UnaryOperator;

/// A workload on a cluster, which every policy of a comparison runs.
///
/// @param print a fingerprint of its source: equal fingerprints mean equal workloads
/// @param most the number of jobs to run, from the first; 0 for all
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

    /// A copy with another slack: the longest time for which jobs wait for clean power.
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

    /// A copy with another model, or other limits, of the learned policies.
    public LabWorkload with(UnaryOperator<LearnedSettings> change) {
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        LearnedSettings learned = change.apply(scenarioPolicy.learned());
        RankingModel model = learned.model();
        return new LabWorkload(
                name,
                scenario.withRules(scenarioPolicy.withLearned(learned)),
                Fingerprints.of(
                        print,
                        "model " + (model == null ? "" : model.name()),
                        "bound " + learned.starvationBound()),
                most);
    }

    /// Whether the seed changes the jobs or the lost messages. If not, one seed is enough.
    public boolean isDrawn() {
        return scenario.hasChance();
    }

    /// Its name in the names of files.
    public String fileName() {
        return name.replaceAll("[^A-Za-z0-9._-]", "_");
    }

    /// The scenario under a seed, with every job listed.
    Scenario under(long seed) {
        List<Arrival> arrivals = scenario.arrivals(seed);
        if (most > 0 && arrivals.size() > most) {
            arrivals = arrivals.subList(0, most);
        }
        return scenario.withWorkloads(List.of())
                .withScript(arrivals, scenario.faults(), scenario.actions());
    }
}
