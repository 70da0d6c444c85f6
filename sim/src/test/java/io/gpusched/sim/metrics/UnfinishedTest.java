package io.gpusched.sim.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.sim.Simulation;
import io.gpusched.sim.report.Report;
import io.gpusched.sim.report.Tally;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;

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
              - {name: n, count: 1, gpus: 4xA100-80GB, cpu_cores: 64, memory_mb: 524288}
            tenants:
              - {id: a}
              - {id: b}
            jobs:
            """;

    private record Ran(Measured measured, Report report) {}

    private static Ran run(String text) {
        Scenario scenario = ScenarioFile.parse("unfinished", text);
        var meter = new Meter(Intensity.constant(500), scenario.rules().checkpointEvery());
        var tally = new Tally(scenario.rules().checkpointEvery());
        var simulation =
                new Simulation(
                        scenario,
                        scenario.rules().toPolicy(),
                        scenario.rules().toSettings(),
                        1,
                        List.of(meter, tally));
        simulation.run();
        return new Ran(meter.measured(simulation.end()), tally.report("", "", 1));
    }

    @Test
    void timeCountsToTheHorizonWhenAJobGoesOnBeyondIt() {
        Figures all =
                run(TEN_HOURS + "  - {at: 0s, name: one, tenant_id: a, gpu_count: 4, runs: 20h}")
                        .measured
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
        Measured measured =
                run(TEN_HOURS
                                + """
                                  - {at: 0s, name: one, tenant_id: a, gpu_count: 4, runs: 20h}
                                  - {at: 2h, name: two, tenant_id: b, gpu_count: 4, runs: 1h}
                                """)
                        .measured;
        assertThat(measured.tenant("b").of(Metric.WAIT_MEAN)).isEqualTo(8 * 3600);
        assertThat(measured.all().of(Metric.WAIT_MEAN)).isEqualTo(4 * 3600);
        assertThat(measured.waits().getLast()).isEqualTo(8 * 3600);
        assertThat(measured.all().of(Metric.JAIN)).isCloseTo(0.5, within(1e-9));
    }
}
