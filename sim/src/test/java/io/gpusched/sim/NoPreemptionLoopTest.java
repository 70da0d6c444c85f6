package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.scenario.SeededRandom;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// No sequence of preemptions can loop.
///
/// The argument: the scheduler preempts only for a job of strictly higher base priority than every
/// victim (the auditor checks each preemption), and base priority does not grow with waiting. If,
/// besides, the scheduler preempts for a job at most once for each time the job enters the queue,
/// then jobs of the highest priority cause at most one preemption each. Jobs of the next priority
/// cause at most one, plus one for each time they were preempted themselves, and so on: the sum is
/// finite. This test checks the second condition and its consequence: every job ends.
///
/// With fair share, preemption inside a tenant goes by priority, as above. Between tenants, a job
/// preempts only for capacity that its guarantee covers, and only jobs that no guarantee covers
/// (the auditor checks each). The capacity held under guarantees grows with each such preemption
/// and no other preemption reduces it, so this sum is finite too.
///
/// With an order that preempts (`srtf`, `las`), the documentation of the order says why preemption
/// ends. The auditor checks that each victim comes later in the order.
final class NoPreemptionLoopTest {
    @ParameterizedTest
    @CsvSource({"priority, 150", "fair, 60", "fair-skip, 30", "srtf, 60", "las, 60", "learned, 60"})
    void aJobCausesAtMostOnePreemptionForEachTimeItEntersTheQueue(String policy, int seeds) {
        var total = new AtomicInteger();
        PropertyRunner.check(
                seeds,
                seed -> RandomScenario.script(seed, Mood.CALM, 50),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(
                                    ruthless(RandomScenario.cluster(seed, Mood.CALM), policy, seed),
                                    script);
                    var preemptions = new Preemptions();
                    Audited run =
                            Audited.run(
                                    scenario,
                                    seed,
                                    scenario.scenarioPolicy().toSettings(),
                                    List.of(preemptions));
                    preemptions.check();
                    total.addAndGet(preemptions.made);
                    assertThat(preemptions.made)
                            .as("preemptions whose capacity was not used")
                            .isEqualTo(preemptions.used);
                    assertThat(run.runReport().all().unfinished())
                            .as("jobs that did not end and could have")
                            .isLessThanOrEqualTo(
                                    run.runReport().all().submitted() - preemptions.placed);
                });
        assertThat(total.get()).as("preemptions").isPositive();
    }

    /// Every job may preempt every job of lower priority, and no other rule makes a job wait.
    /// Guarantees are large; their sum often exceeds the cluster.
    private static Scenario ruthless(Scenario scenario, String policy, long seed) {
        var seededRandom = SeededRandom.of(seed, "guarantees", 0);
        List<Tenant> tenants =
                scenario.tenants().stream()
                        .map(
                                tenant ->
                                        new Tenant(
                                                tenant.id(),
                                                tenant.parent(),
                                                new Limits(
                                                        seededRandom.below(7) * 1000L, 0, 0, 0, 0),
                                                Limits.NONE,
                                                tenant.weight(),
                                                new PreemptionRules(true, true, 0),
                                                true,
                                                tenant.profile()))
                        .toList();
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        return new Scenario(
                scenario.name(),
                scenario.about(),
                scenario.start(),
                scenario.until(),
                new ScenarioPolicy(
                        policy,
                        scenarioPolicy.pointsPerMinute(),
                        true,
                        false,
                        scenarioPolicy.assumed(),
                        scenarioPolicy.checkpointEvery(),
                        scenarioPolicy.placement(),
                        scenarioPolicy.fairShareSettings(),
                        scenarioPolicy.idle(),
                        scenarioPolicy.predictionSettings(),
                        scenarioPolicy.learned(),
                        scenarioPolicy.carbon()),
                scenario.clusterDelays(),
                scenario.nodes(),
                tenants,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /// Counts, for each job, the preemptions on its behalf and how often it entered the queue.
    private static final class Preemptions implements Listener {
        private final Map<JobId, Integer> madeFor = new HashMap<>();
        private final Map<JobId, Integer> queued = new HashMap<>();
        private final Map<JobId, Boolean> everPlaced = new HashMap<>();
        private final Map<ClaimId, Claim> open = new HashMap<>();
        int made;
        int used;
        int placed;

        @Override
        public void concluded(Batch batch, CycleResult cycleResult) {
            batch.facts().forEach(this::note);
            batch.decided().forEach(this::note);
            cycleResult
                    .attempts()
                    .forEach(
                            (job, turnOutcome) -> {
                                if (turnOutcome instanceof TurnOutcome.Preempts) {
                                    madeFor.merge(job, 1, Integer::sum);
                                }
                            });
        }

        private void note(Event event) {
            switch (event) {
                case Event.JobSubmitted e -> queued.merge(e.job(), 1, Integer::sum);
                case Event.JobRequeued e -> queued.merge(e.job(), 1, Integer::sum);
                case Event.AttemptPlaced e -> {
                    if (everPlaced.put(e.attempt().job(), true) == null) {
                        placed++;
                    }
                }
                case Event.ClaimMade e -> {
                    if (e.claim().kind() == Claim.Kind.ROOM) {
                        open.put(e.claim().id(), e.claim());
                        made++;
                    }
                }
                case Event.ClaimDropped e -> {
                    if (open.remove(e.claim()) != null && e.reason().equals("used")) {
                        used++;
                    }
                }
                default -> {}
            }
        }

        void check() {
            madeFor.forEach(
                    (job, times) ->
                            assertThat(times)
                                    .as("preemptions for %s", job)
                                    .isLessThanOrEqualTo(queued.getOrDefault(job, 0)));
        }
    }
}
