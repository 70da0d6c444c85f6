package io.gpusched.rl.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.rl.EnvironmentChecker;
import io.gpusched.rl.Step;
import io.gpusched.rl.cluster.ClusterEnvironment.Settings;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

final class ClusterEnvironmentTest {
    private static final Path SCENARIOS = Path.of("../scenarios");

    @TempDir private Path folder;

    private static Scenario scenario(String name) {
        return ScenarioFile.read(SCENARIOS.resolve(name + ".yaml"));
    }

    private static Settings settings(Objective objective) {
        return new Settings(16, 5_000, 120, objective);
    }

    @ParameterizedTest
    @EnumSource(Objective.Goal.class)
    void itKeepsTheContractUnderEveryGoal(Objective.Goal goal) {
        Scenario day = scenario("busy-day");
        Settings settings = settings(Objective.of(goal));
        assertThat(EnvironmentChecker.problems(() -> new ClusterEnvironment(day, settings), 3))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fifo-basics",
                "gang-waits-for-whole-node",
                "parts-of-gpus",
                "quota-wait",
                "selectors-and-taints",
                "gang-near-a-rack",
                "two-gangs-half-each"
            })
    void itKeepsTheContractOnEveryKindOfJob(String name) {
        Scenario scenario = scenario(name);
        Settings settings = settings(Objective.parse("wait=0.5,slowdown=0.5"));
        assertThat(EnvironmentChecker.problems(() -> new ClusterEnvironment(scenario, settings), 1))
                .isEmpty();
    }

    /// Plays the first job that fits.
    private static double play(ClusterEnvironment environment, long seed) {
        environment.reset(seed);
        double sum = 0;
        Step step;
        do {
            boolean[] mask = environment.mask();
            int action = 1;
            while (action < mask.length && !mask[action]) {
                action++;
            }
            step = environment.step(action == mask.length ? 0 : action);
            sum += step.reward();
        } while (!step.isLast());
        return sum;
    }

    @Test
    void aPlayerThatStartsWhatFitsEndsAllJobs() {
        Settings settings = settings(Objective.of(Objective.Goal.COMPLETION));
        var environment = new ClusterEnvironment(scenario("busy-day"), settings);
        double sum = play(environment, 1);
        assertThat(environment.ended() + environment.refused()).isEqualTo(environment.totalJobs());
        assertThat(sum).isNegative();
    }

    @Test
    void completionCostsMoreThanWaitingByTheRuntimes() {
        Scenario day = scenario("busy-day");
        double wait =
                play(new ClusterEnvironment(day, settings(Objective.of(Objective.Goal.WAIT))), 1);
        double completion =
                play(
                        new ClusterEnvironment(
                                day, settings(Objective.of(Objective.Goal.COMPLETION))),
                        1);
        assertThat(wait - completion).isBetween(0.5, 1.0);
    }

    @Test
    void goalsAreMixedByTheirWeights() {
        Scenario day = scenario("busy-day");
        double wait = play(new ClusterEnvironment(day, settings(Objective.parse("wait"))), 2);
        double energy = play(new ClusterEnvironment(day, settings(Objective.parse("energy"))), 2);
        double mixed =
                play(
                        new ClusterEnvironment(day, settings(Objective.parse("wait=2,energy=0.5"))),
                        2);
        assertThat(mixed).isCloseTo(2 * wait + 0.5 * energy, within(1e-6));
    }

    /// The energy of one job that runs for ten minutes on one GPU.
    private double energyOf(String asked) throws Exception {
        Path file = folder.resolve("one-job.yaml");
        Files.writeString(
                file,
                """
                about: One job on one GPU.
                cluster:
                  - {name: node, gpus: 1xA100-40GB, labels: {neuronetes.io/mig-config: mixed}}
                jobs:
                  - {name: job, gpu_count: 1, %s runs: 10m, max_runtime: 1h}
                """
                        .formatted(asked));
        var settings = settings(Objective.of(Objective.Goal.ENERGY));
        return -play(new ClusterEnvironment(ScenarioFile.read(file), settings), 1);
    }

    @Test
    void aPartOfAGpuUsesThatPartOfItsPower() throws Exception {
        GpuDataSheet sheet = GpuDataSheet.of("A100");
        double idle = sheet.watts(0, Heat.COOL) / sheet.watts(1, Heat.COOL);
        assertThat(energyOf("")).isCloseTo(1, within(1e-6));
        assertThat(0.4 * energyOf("gpu_percent: 40,"))
                .isCloseTo(idle + 0.4 * (1 - idle), within(1e-6));
        double slice = Objects.requireNonNull(MigGpuModel.anyNamed("3g.20gb")).milli() / 1e3;
        assertThat(slice * energyOf("mig_profile: 3g.20gb,"))
                .isCloseTo(idle + slice * (1 - idle), within(1e-6));
    }

    @Test
    void anUnknownGoalIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Objective.parse("wait=1,speed"))
                .hasMessage(
                        "expected goals of wait, slowdown, completion, fairness, energy, found"
                                + " speed");
    }
}
