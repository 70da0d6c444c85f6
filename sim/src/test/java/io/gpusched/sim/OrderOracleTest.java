package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.Tenant;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Orders that change with time, preemptive orders, and conservative backfill keep the invariants
/// of all policies: trying only jobs whose retry condition is met decides like trying every job,
/// and a restart changes nothing.
final class OrderOracleTest {
    @ParameterizedTest
    @CsvSource({
        "srtf, CALM, 12",
        "srtf, STORMY, 8",
        "las, CALM, 12",
        "las, STORMY, 8",
        "wfp3, CALM, 8",
        "unicep-strict, STORMY, 5",
        "f1-skip, CALM, 3",
        "fifo-conservative, CALM, 3",
        "fifo-conservative, STORMY, 2",
        "priority-conservative, CALM, 2",
        "priority-conservative, STORMY, 3",
        "wfp3-conservative, STORMY, 2"
    })
    void neitherWakingLittleNorARestartChangesADecision(String policy, Mood mood, int seeds) {
        var preempted = new AtomicLong();
        PropertyRunner.check(
                seeds,
                seed -> RandomScenario.script(seed, mood, 40),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(
                                    under(policy, RandomScenario.cluster(seed, mood)), script);
                    List<Batch> little = WakeOracleTest.batches(scenario, seed, false);
                    WakeOracleTest.compare(
                            scenario, little, WakeOracleTest.batches(scenario, seed, true));
                    RestartEqualsContinueTest.cutEverywhere(scenario, Audited.run(scenario, seed));
                    preempted.addAndGet(preemptions(little));
                });
        if (policy.equals("srtf") || policy.equals("las")) {
            assertThat(preempted.get()).as("jobs that made way").isPositive();
        }
    }

    private static long preemptions(List<Batch> batches) {
        return batches.stream()
                .flatMap(batch -> batch.decided().stream())
                .filter(
                        event ->
                                event instanceof Event.AttemptStopping stopping
                                        && stopping.cause().kind() == StopCause.Kind.PREEMPTED)
                .count();
    }

    /// The same cluster under a policy, where every job may preempt every other.
    private static Scenario under(String policy, Scenario scenario) {
        List<Tenant> tenants =
                scenario.tenants().stream()
                        .map(
                                tenant ->
                                        new Tenant(
                                                tenant.id(),
                                                tenant.parent(),
                                                tenant.guaranteed(),
                                                tenant.limit(),
                                                tenant.weight(),
                                                new PreemptionRules(true, true, 0),
                                                true,
                                                tenant.profile()))
                        .toList();
        return new Scenario(
                scenario.name(),
                scenario.about(),
                scenario.start(),
                scenario.until(),
                scenario.scenarioPolicy().withPolicy(policy),
                scenario.clusterDelays(),
                scenario.nodes(),
                tenants,
                scenario.jobs(),
                scenario.workloads(),
                scenario.faults(),
                scenario.actions());
    }
}
