package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.policy.gate.CarbonGate;
import io.gpusched.sim.audit.Auditor;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Jobs in simulated time whose start depends on how clean power is foreseen to be.
final class CarbonGateTest {
    private static final Instant START = Scenario.DEFAULT_START;
    private static final Duration HOUR = Duration.ofHours(1);

    /// Hour by hour: cleanest in the fifth and sixth.
    private static final double[] GRAMS = {
        300, 280, 290, 300, 120, 110, 310, 320, 320, 320, 90, 90
    };

    @Test
    void aJobWaitsForTheCleanestTimeInItsSlack() {
        assertThat(starts(5, "{name: a, gpu_count: 1, runs: 110m, max_runtime: 2h}"))
                .containsExactly(Duration.ofHours(4));
    }

    @Test
    void itNeverWaitsBeyondItsSlack() {
        assertThat(starts(2, "{name: a, gpu_count: 1, runs: 50m, max_runtime: 1h}"))
                .containsExactly(Duration.ofHours(1));
        assertThat(starts(0, "{name: a, gpu_count: 1, runs: 50m, max_runtime: 1h}"))
                .containsExactly(Duration.ZERO);
    }

    @Test
    void importantJobsAreNotHeldBack() {
        assertThat(starts(5, "{name: a, gpu_count: 1, priority: 100, runs: 110m, max_runtime: 2h}"))
                .containsExactly(Duration.ZERO);
    }

    @Test
    void aJobThatDoesNotFitThenStartsAsSoonAsItFits() {
        assertThat(
                        starts(
                                5,
                                "{name: a, gpu_count: 4, runs: 50m, max_runtime: 1h}",
                                "{name: b, gpu_count: 4, runs: 50m, max_runtime: 1h}"))
                .hasSize(2)
                .first()
                .isEqualTo(Duration.ofHours(5));
    }

    @Test
    void noJobIsHeldBackBeyondTheForecast() {
        assertThat(starts(48, "{name: a, at: 12h, gpu_count: 1, runs: 50m, max_runtime: 1h}"))
                .containsExactly(Duration.ofHours(12));
    }

    @Test
    void aScenarioSaysHowCleanPowerIsAndAPolicyGoesByIt() {
        Scenario scenario =
                ScenarioFile.parse(
                        "carbon",
                        """
                        policy: {name: sjf-carbon}
                        carbon: {intensity: [300, 280, 120, 300], every: 2h, slack: 5h, up_to_priority: 9}
                        cluster: [{name: n, count: 1, gpus: 4xA100}]
                        jobs:
                          - {name: a, gpu_count: 1, runs: 50m, max_runtime: 1h}
                          - {name: b, at: 8h, priority: 10, gpu_count: 1, runs: 50m, max_runtime: 1h}
                          - {name: c, at: 8h, gpu_count: 1, runs: 50m, max_runtime: 1h}
                        """);
        var placed = new ArrayList<Duration>();
        Listener notes = (batch, cycleResult) -> note(batch, placed);
        new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        1,
                        List.of(notes))
                .run();
        assertThat(placed)
                .as("the curve repeats after eight hours")
                .containsExactly(Duration.ofHours(4), Duration.ofHours(8), Duration.ofHours(12));
    }

    @Test
    void tryingEverythingAllTheTimeDecidesTheSame() {
        var grams = new double[24 * 14];
        for (int i = 0; i < grams.length; i++) {
            grams[i] = 200 + 80 * Math.sin(i / 4.0) + i * 7919 % 13;
        }
        Scenario scenario =
                ScenarioFile.parse(
                        "carbon",
                        """
                        cluster: [{name: n, count: 3, gpus: 8xA100}]
                        workload:
                          - {count: 120, mean_gap: 15m, gpu_count: {1: 3, 4: 2, 8: 1}, priority: {0: 3, 60: 1}, runs: 90m}
                        """);
        for (long seed = 1; seed <= 2; seed++) {
            List<Duration> lazily = starts(scenario, grams, 12, false, seed);
            assertThat(lazily).as("seed %s", seed).hasSizeGreaterThanOrEqualTo(120);
            assertThat(starts(scenario, grams, 12, true, seed))
                    .as("seed %s", seed)
                    .isEqualTo(lazily);
        }
    }

    /// When jobs were placed, in order, on one node of four GPUs.
    private static List<Duration> starts(int slackHours, String... jobs) {
        Scenario scenario =
                ScenarioFile.parse(
                        "carbon",
                        "cluster: [{name: n, count: 1, gpus: 4xA100}]\njobs: ["
                                + String.join(", ", jobs)
                                + "]\n");
        return starts(scenario, GRAMS, slackHours, false, 1);
    }

    private static List<Duration> starts(
            Scenario scenario, double[] grams, int slackHours, boolean everything, long seed) {
        var gate =
                new CarbonGate(
                        new CarbonForecast(START, HOUR, grams),
                        HOUR.multipliedBy(slackHours),
                        50,
                        HOUR);
        EngineSettings usual = scenario.scenarioPolicy().toSettings();
        var settings =
                EngineSettings.builder()
                        .policy(usual.policy())
                        .maxWaiting(usual.maxWaiting())
                        .assumedRuntime(usual.assumedRuntime())
                        .wakeEverything(everything)
                        .build();
        var placed = new ArrayList<Duration>();
        var auditor = new Auditor();
        Listener notes = (batch, cycleResult) -> note(batch, placed);
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy().with(gate),
                        settings,
                        seed,
                        List.of(auditor, notes));
        simulation.run();
        auditor.settle();
        return placed;
    }

    private static void note(Batch batch, List<Duration> placed) {
        for (Event event : batch.decided()) {
            if (event instanceof Event.AttemptPlaced started) {
                placed.add(Duration.between(START, started.at()));
            }
        }
    }
}
