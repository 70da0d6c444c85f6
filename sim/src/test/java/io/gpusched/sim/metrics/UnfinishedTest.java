package io.gpusched.sim.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.sim.Simulation;
import io.gpusched.sim.report.ReportCounter;
import io.gpusched.sim.report.RunReport;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Runs that stop before all is done, and nodes that change: figures must count what is left over.
final class UnfinishedTest {
    /// One node of four A100 until ten o'clock; jobs follow.
    private static final String TEN_HOURS =
            """
            policy: {name: fifo}
            timing: {prepare: 0s, start: 0s}
            until: 10h
            cluster:
              - {name: n, gpus: 4xA100-80GB, cpu_cores: 64, memory_mb: 524288}
            tenants:
              - {id: a}
              - {id: b}
            jobs:
            """;

    private record Ran(RunMeasurements runMeasurements, RunReport runReport) {}

    private static Ran run(String text) {
        Scenario scenario = ScenarioFile.parse("unfinished", text);
        var runMeter =
                new RunMeter(
                        GridIntensity.constant(500), scenario.scenarioPolicy().checkpointEvery());
        var reportCounter = new ReportCounter(scenario.scenarioPolicy().checkpointEvery());
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        1,
                        List.of(runMeter, reportCounter));
        simulation.run();
        return new Ran(
                runMeter.measured(simulation.end()),
                reportCounter.report("", "", 1, simulation.end()));
    }

    @Test
    void timeCountsToTheHorizonWhenAJobGoesOnBeyondIt() {
        MetricValues all =
                run(TEN_HOURS + "  - {at: 0s, name: one, tenant_id: a, gpu_count: 4, runs: 20h}")
                        .runMeasurements
                        .all();
        assertThat(all.of(Metric.UNFINISHED)).isEqualTo(1);
        assertThat(all.of(Metric.MAKESPAN)).isEqualTo(36_000);
        assertThat(all.of(Metric.GPU_HOURS)).isCloseTo(40, within(1e-6));
        assertThat(all.of(Metric.ALLOCATION)).isCloseTo(1, within(1e-6));
        assertThat(all.of(Metric.ENERGY)).isCloseTo(40 * 0.32, within(1e-6));
    }

    /// The second waits for ever: its wait counts, and its tenant gets nothing of its time.
    @Test
    void whoIsKeptWaitingToTheEndCounts() {
        Ran ran =
                run(
                        TEN_HOURS
                                + """
                                  - {at: 0s, name: one, tenant_id: a, gpu_count: 4, runs: 20h}
                                  - {at: 2h, name: two, tenant_id: b, gpu_count: 4, runs: 1h}
                                """);
        assertThat(ran.runReport.all().waiting().mean()).isEqualTo(Duration.ofHours(4));
        RunMeasurements runMeasurements = ran.runMeasurements;
        assertThat(runMeasurements.tenant("b").of(Metric.WAIT_MEAN)).isEqualTo(8 * 3600);
        assertThat(runMeasurements.all().of(Metric.WAIT_MEAN)).isEqualTo(4 * 3600);
        assertThat(runMeasurements.waits().getLast()).isEqualTo(8 * 3600);
        assertThat(runMeasurements.all().of(Metric.JAIN)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void theReportCountsWhatIsHeldAtTheEndAndNeverMoreThanThereIs() {
        Ran ran =
                run(
                        TEN_HOURS
                                + """
                                  - {at: 0s, name: one, tenant_id: a, gpu_count: 2, runs: 20h}
                                  - {at: 0s, name: two, tenant_id: b, gpu_count: 2, runs: 5h}
                                """);
        assertThat(ran.runReport.utilisation()).isCloseTo(0.75, within(1e-3));
        assertThat(ran.runReport.all().gpuHours()).isCloseTo(30, within(0.1));
        assertThat(ran.runReport.makespan()).isEqualTo(Duration.ofHours(10));
    }

    /// Of two GPUs one was held for five hours by a job that then left, and the last end was early.
    @Test
    void whatIsHeldAfterTheLastEndDoesNotMakeUseOfMoreThanAll() {
        Ran ran =
                run(
                        TEN_HOURS
                                + """
                                  - {at: 0s, name: one, tenant_id: a, gpu_count: 2, runs: 20h, requeue: true}
                                  - {at: 0s, name: two, tenant_id: b, gpu_count: 2, runs: 1h}
                                faults:
                                  - {at: 8h, lose_node: n}
                                """);
        assertThat(ran.runReport.utilisation()).isLessThanOrEqualTo(1);
        assertThat(ran.runMeasurements.all().of(Metric.LOSSES)).isEqualTo(1);
        assertThat(ran.runMeasurements.all().of(Metric.ALLOCATION)).isLessThanOrEqualTo(1);
    }

    /// Four GPUs, two of them gone from the second to the third hour: 36 GPU hours were there, of
    /// which the job held twenty.
    @Test
    void aNodeThatComesBackWithOtherGpusIsCountedOnce() {
        MetricValues all =
                run(TEN_HOURS
                                + """
                                  - {at: 0s, name: one, tenant_id: a, gpu_count: 2, runs: 20h}
                                faults:
                                  - {at: 1h, lose_gpus: n, left: 2, for: 2h}
                                """)
                        .runMeasurements
                        .all();
        assertThat(all.of(Metric.LOSSES)).isZero();
        assertThat(all.of(Metric.GPU_HOURS)).isCloseTo(20, within(1e-6));
        assertThat(all.of(Metric.ALLOCATION)).isCloseTo(20 / 36.0, within(1e-6));
        assertThat(all.of(Metric.ENERGY)).isCloseTo((20 * 320 + 16 * 55) / 1000.0, within(1e-6));
        assertThat(all.of(Metric.FRAGMENTATION)).isZero();
    }

    /// Ten thousand short runs after it do not take the place of the one that began first.
    @Test
    void aLongRunIsDrawnHoweverManyShortOnesComeAfterIt() {
        var text = new StringBuilder(TEN_HOURS);
        text.append("  - {at: 0s, name: long, tenant_id: a, gpu_count: 1, runs: 9h}\n");
        for (int i = 0; i < 2_100; i++) {
            text.append(
                    "  - {at: 1s, name: s%d, tenant_id: b, gpu_count: 1, runs: 10s}\n"
                            .formatted(i));
        }
        List<RunMeasurements.Bar> bars = run(text.toString()).runMeasurements.bars();
        assertThat(bars).hasSize(2_000);
        assertThat(bars)
                .filteredOn(bar -> bar.tenant().equals("a"))
                .singleElement()
                .satisfies(bar -> assertThat(bar.to()).isEqualTo(9 * 3600));
    }

    /// Held for two hours until its node was gone, and eleven minutes until it was given up: all of
    /// that is done again.
    @Test
    void aRunLostWithItsNodeIsLostWork() {
        MetricValues all =
                run(TEN_HOURS
                                + """
                                  - {at: 0s, name: one, tenant_id: a, gpu_count: 2, runs: 3h, requeue: true}
                                faults:
                                  - {at: 2h, lose_node: n, back_after: 30m}
                                """)
                        .runMeasurements
                        .all();
        assertThat(all.of(Metric.COMPLETED)).isEqualTo(1);
        assertThat(all.of(Metric.LOSSES)).isEqualTo(1);
        assertThat(all.of(Metric.LOST_HOURS)).isCloseTo(2 * (2 + 11 / 60.0), within(1e-6));
    }

    /// An idle T4 draws 10 W.
    @Test
    void aNodeThatComesBackWithOtherModelsDrawsOtherPower() {
        var fleetUsage = new FleetUsage(GridIntensity.constant(0));
        for (String gpus : List.of("4xA100-80GB", "4xT4")) {
            String text = "cluster: [{name: n, gpus: " + gpus + "}]\njobs: [{name: one, runs: 1h}]";
            Scenario scenario = ScenarioFile.parse("models", text);
            fleetUsage.joined(scenario.nodes().getFirst(), 0);
        }
        fleetUsage.pass(Instant.EPOCH, Instant.EPOCH.plusSeconds(3600));
        assertThat(fleetUsage.totals(3600).there()).isEqualTo(4 * 3600);
        assertThat(fleetUsage.totals(3600).kwh()).isCloseTo(0.04, within(1e-9));
    }
}
