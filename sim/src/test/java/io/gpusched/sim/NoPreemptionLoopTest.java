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
/// The argument: room is made only for a job of strictly higher base priority than every victim
/// (the auditor checks each), and base priority does not grow with waiting. If, besides, a job has
/// room made for it at most once for each time it stands in line, then jobs of the highest priority
/// make room at most once each, those below at most once plus once for each time one above pushed
/// them out, and so on down: the sum is finite. This test holds the scheduler to the second half,
/// and to its consequence that every job ends.
///
/// Where tenants take turns, room is made inside a tenant by priority, as above, and between
/// tenants only for what a guarantee covers, out of what no guarantee covers (the auditor checks
/// each). So what is held under guarantees grows with each and never shrinks by another: the sum
/// is finite here too, and the test asks for the same.
///
/// Where an order decides who makes way, the orders themselves say why it ends; the auditor checks
/// that each victim came later, and the test asks for the same again.
final class NoPreemptionLoopTest {
    @ParameterizedTest
    @CsvSource({"priority, 150", "fair, 60", "fair-skip, 30", "srtf, 60", "las, 60"})
    void roomIsMadeAtMostOnceForEachTimeAJobStandsInLine(String policy, int seeds) {
        var total = new AtomicInteger();
        PropertyRunner.check(
                seeds,
                seed -> RandomScenario.script(seed, Mood.CALM, 50),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(
                                    ruthless(RandomScenario.cluster(seed, Mood.CALM), policy, seed),
                                    script);
                    var rooms = new Rooms();
                    Audited run =
                            Audited.run(
                                    scenario,
                                    seed,
                                    scenario.scenarioPolicy().toSettings(),
                                    List.of(rooms));
                    rooms.check();
                    total.addAndGet(rooms.made);
                    assertThat(rooms.made)
                            .as("rooms that were made and not used")
                            .isEqualTo(rooms.used);
                    assertThat(run.runReport().all().unfinished())
                            .as("jobs that did not end and could have")
                            .isLessThanOrEqualTo(run.runReport().all().submitted() - rooms.placed);
                });
        assertThat(total.get()).as("rooms made at all").isPositive();
    }

    /// Everybody may push out everybody below, and nothing else holds anybody back. Guarantees are
    /// large, together often more than there is.
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
                        scenarioPolicy.carbon()),
                scenario.clusterDelays(),
                scenario.nodes(),
                tenants,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /// Counts who had room made, and who went back into line.
    private static final class Rooms implements Listener {
        private final Map<JobId, Integer> madeFor = new HashMap<>();
        private final Map<JobId, Integer> inLine = new HashMap<>();
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
                case Event.JobSubmitted e -> inLine.merge(e.job(), 1, Integer::sum);
                case Event.JobRequeued e -> inLine.merge(e.job(), 1, Integer::sum);
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
                                    .as("rooms made for %s", job)
                                    .isLessThanOrEqualTo(inLine.getOrDefault(job, 0)));
        }
    }
}
