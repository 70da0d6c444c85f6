package io.gpusched.sim.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.sim.Simulation;
import io.gpusched.sim.report.ReportCounter;
import io.gpusched.sim.report.RunReport;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/// Small scenarios whose figures can be worked out by hand.
final class RunMeterTest {
    /// One node of four A100; a job of four and then, after it, one of two.
    private static final String TWO_JOBS =
            """
            policy: {name: fifo}
            timing: {prepare: 0s, start: 0s}
            cluster:
              - {name: n, count: 1, gpus: 4xA100-80GB, cpu_cores: 64, memory_mb: 524288}
            tenants:
              - {id: a}
              - {id: b}
            jobs:
              - {at: 0s, name: one, tenant_id: a, gpu_count: 4, runs: 1h}
              - {at: 0s, name: two, tenant_id: b, gpu_count: 2, runs: 1h}
            """;

    private static RunMeasurements run(Scenario scenario, GridIntensity gridIntensity) {
        var runMeter = new RunMeter(gridIntensity, scenario.scenarioPolicy().checkpointEvery());
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        1,
                        List.of(runMeter));
        simulation.run();
        return runMeter.measured(simulation.end());
    }

    @Test
    void figuresAreThoseWorkedOutByHand() {
        RunMeasurements runMeasurements =
                run(ScenarioFile.parse("two", TWO_JOBS), GridIntensity.constant(500));
        MetricValues all = runMeasurements.all();
        assertThat(all.of(Metric.JOBS)).isEqualTo(2);
        assertThat(all.of(Metric.WAIT_MEAN)).isEqualTo(1800);
        assertThat(all.of(Metric.WAIT_P90)).isEqualTo(3600);
        assertThat(all.of(Metric.COMPLETION_MEAN)).isEqualTo(5400);
        assertThat(all.of(Metric.SLOWDOWN_MEAN)).isEqualTo(1.5);
        assertThat(all.of(Metric.MAKESPAN)).isEqualTo(7200);
        assertThat(all.of(Metric.ALLOCATION)).isCloseTo(0.75, within(1e-9));
        assertThat(all.of(Metric.UTILISATION)).isCloseTo(0.75, within(1e-9));
        assertThat(all.of(Metric.GPU_HOURS)).isCloseTo(6, within(1e-9));
        assertThat(all.of(Metric.COST)).isCloseTo(6 * 3.67, within(1e-9));
        double kwh = (6 * 320 + 2 * 55) / 1000.0;
        assertThat(all.of(Metric.ENERGY)).isCloseTo(kwh, within(1e-9));
        assertThat(all.of(Metric.CARBON)).isCloseTo(kwh * 500, within(1e-6));
        assertThat(runMeasurements.tenant("b").of(Metric.ENERGY)).isCloseTo(0.64, within(1e-9));
        assertThat(runMeasurements.bars()).hasSize(2);
        assertThat(runMeasurements.use().waiting().getFirst()).isEqualTo(1);
    }

    /// In the second hour two GPUs are free, and half of the tasks asked for four.
    @Test
    void freeGpusThatATaskCannotUseAreFragments() {
        MetricValues all =
                run(ScenarioFile.parse("two", TWO_JOBS), GridIntensity.constant(0)).all();
        assertThat(all.of(Metric.FRAGMENTATION)).isCloseTo(0.5, within(1e-9));
    }

    /// Alone on two GPUs each: the job of four takes two hours there, the one of two one hour.
    @Test
    void sharingHelpedOneAndHarmedTheOther() {
        RunMeasurements runMeasurements =
                run(ScenarioFile.parse("two", TWO_JOBS), GridIntensity.constant(0));
        assertThat(runMeasurements.tenant("a").of(Metric.FINISH_MEAN)).isEqualTo(0.5);
        assertThat(runMeasurements.tenant("b").of(Metric.FINISH_MEAN)).isEqualTo(2);
        assertThat(runMeasurements.all().of(Metric.UNFAIR)).isEqualTo(0.5);
    }

    @Test
    void theMeterAgreesWithTheReportOnABusyDay() {
        Scenario scenario = ScenarioFile.read(Path.of("../scenarios/busy-day.yaml"));
        var runMeter =
                new RunMeter(
                        GridIntensity.constant(480), scenario.scenarioPolicy().checkpointEvery());
        var reportCounter = new ReportCounter(scenario.scenarioPolicy().checkpointEvery());
        var simulation =
                new Simulation(
                        scenario,
                        scenario.scenarioPolicy().toPolicy(),
                        scenario.scenarioPolicy().toSettings(),
                        1,
                        List.of(runMeter, reportCounter));
        simulation.run();
        MetricValues all = runMeter.measured(simulation.end()).all();
        RunReport runReport = reportCounter.report("", "", 1, simulation.end());
        assertThat(all.of(Metric.COMPLETED)).isEqualTo((double) runReport.all().completed());
        assertThat(all.of(Metric.PREEMPTIONS)).isEqualTo((double) runReport.all().preemptions());
        assertThat(all.of(Metric.GPU_HOURS)).isCloseTo(runReport.all().gpuHours(), within(1e-6));
        assertThat(all.of(Metric.WAIT_P99) * 1000)
                .isCloseTo((double) runReport.all().waiting().p99().toMillis(), within(1.0));
        assertThat(all.of(Metric.ALLOCATION)).isCloseTo(runReport.utilisation(), within(0.01));
        assertThat(all.of(Metric.UTILISATION)).isLessThanOrEqualTo(all.of(Metric.ALLOCATION));
        assertThat(all.of(Metric.ENERGY_ASLEEP)).isLessThan(all.of(Metric.ENERGY));
        assertThat(all.of(Metric.LOST_HOURS)).isCloseTo(runReport.wastedGpuHours(), within(1e-6));
    }
}
