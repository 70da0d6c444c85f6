package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.report.RunReport;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.Test;

/// What decisions cost, counted rather than timed: in proportion to what changes, not to how much
/// waits or how many nodes there are.
final class WorkBudgetTest {
    private static RunReport run(int nodes, int jobs) {
        Scenario scenario =
                ScenarioFile.parse(
                        "budget",
                        """
                        cluster: [{name: n, count: %d, gpus: 8xA100-80GB}]
                        tenants: [{id: a}, {id: b, max_gpus: 40}]
                        workload:
                          - count: %d
                            mean_gap: 1s
                            tenants: {a: 2, b: 1}
                            gpu_count: {1: 60, 2: 20, 4: 10, 8: 10}
                            runs: 30m
                            limit_factor: 0
                        """
                                .formatted(nodes, jobs));
        return Audited.run(scenario, 1).runReport();
    }

    @Test
    void aLongQueueCostsNoMoreTurnsPerEventThanAShortOne() {
        RunReport few = run(10, 300);
        RunReport many = run(10, 3000);
        assertThat(many.all().unfinished()).isZero();
        assertThat(perEvent(many.effort().turns(), many))
                .isLessThan(2 * perEvent(few.effort().turns(), few));
        assertThat(perEvent(many.effort().turns(), many)).isLessThan(3);
    }

    @Test
    void aLargeClusterCostsHardlyMoreLooksPerPlacementThanASmallOne() {
        RunReport small = run(20, 1500);
        RunReport large = run(200, 1500);
        assertThat(perEvent(large.effort().nodesLookedAt(), large))
                .isLessThan(2 * perEvent(small.effort().nodesLookedAt(), small) + 8);
    }

    private static double perEvent(long work, RunReport runReport) {
        return (double) work / runReport.effort().events();
    }
}
