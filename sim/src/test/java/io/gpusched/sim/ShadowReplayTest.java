package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.ShadowReplay;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// A second policy beside the one in force.
final class ShadowReplayTest {
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final String QUEUE =
            """
            policy: {name: fifo}
            cluster:
              - {name: n1, gpus: 1xA100-80GB}
            jobs:
              - {name: first, gpu_count: 1, runs: 10m, max_runtime: 1h}
              - {name: long, at: 1m, gpu_count: 1, runs: 30m, max_runtime: 9h}
              - {name: short, at: 2m, gpu_count: 1, runs: 5m, max_runtime: 10m}
              - {name: last, at: 2h, gpu_count: 1, runs: 5m, max_runtime: 10m}
            """;

    @Test
    void theSamePolicyDecidesTheSameAndIsNeverBehind() {
        for (Mood mood : Mood.values()) {
            PropertyRunner.check(
                    8,
                    seed -> RandomScenario.script(seed, mood, 40),
                    (seed, script) -> {
                        Scenario scenario =
                                RandomScenario.with(RandomScenario.cluster(seed, mood), script);
                        List<Batch> batches = Audited.run(scenario, seed).batches();
                        ShadowReplay shadow = shadow(scenario, batches, "", batches.size() / 3);
                        assertThat(shadow.picture().parted()).isNull();
                        assertThat(shadow.picture().behind()).isZero();
                        assertThat(shadow.picture().shadow()).isEqualTo(shadow.picture().live());
                    });
        }
    }

    @Test
    void anotherPolicyGoesThroughTroubleToo() {
        PropertyRunner.check(
                16,
                seed -> RandomScenario.script(seed, Mood.WILD, 40),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, Mood.WILD), script);
                    String other = LearnedScenario.anyPolicy(seed);
                    var past = new AuditedPast(scenario, seed);
                    List<Batch> batches = past.batches();
                    int begin = batches.size() / 3;
                    ShadowReplay.Picture seen =
                            shadow(scenario, batches, other, begin, past.auditFrom(begin, other))
                                    .picture();
                    past.settle();
                    assertThat(seen.behind()).isLessThanOrEqualTo(PATIENCE);
                    assertThat(seen.shadow().all().jobs()).isEqualTo(seen.live().all().jobs());
                });
    }

    @Test
    void aJobStartedEarlierThanInEarnestTakesAsLongAsItTrulyDoes() {
        Scenario scenario = ScenarioFile.parse("queue", QUEUE);
        List<Batch> batches = Audited.run(scenario, 1).batches();

        ShadowReplay.Picture seen = shadow(scenario, batches, "sjf", 0).picture();

        // The short one goes before the long one; when, in earnest, it has run, the shadow knows
        // how long it takes, and has let the long one start just then.
        assertThat(seen.guesses()).isZero();
        assertThat(seen.starts().earlier()).isEqualTo(1);
        assertThat(seen.starts().later()).isEqualTo(1);
        assertThat(seen.starts().same()).isEqualTo(2);
        assertThat(seen.starts().secondsGained()).isBetween(1400.0, 1600.0);
        assertThat(seen.shadow().all().gpuHours())
                .isBetween(
                        seen.live().all().gpuHours() - 0.02, seen.live().all().gpuHours() + 0.02);
    }

    @Test
    void itIsBehindAsLongAsItDoesNotKnow() {
        Scenario scenario = ScenarioFile.parse("queue", QUEUE);
        List<Batch> batches = Audited.run(scenario, 1).batches();
        int shortRuns = 0;
        while (batches.get(shortRuns).facts().stream()
                .noneMatch(
                        e ->
                                e instanceof Event.AttemptRunning r
                                        && r.attempt().job().number() == 3)) {
            shortRuns++;
        }
        ShadowReplay shadow = shadow(scenario, batches.subList(0, shortRuns), "sjf", 0);
        assertThat(shadow.picture().behind())
                .isBetween(Duration.ofMinutes(20), Duration.ofHours(1));
    }

    @Test
    void itWaitsNoLongerThanItMay() {
        Scenario scenario = ScenarioFile.parse("queue", QUEUE.replace("30m", "8h"));
        List<Batch> batches = Audited.run(scenario, 1).batches();

        ShadowReplay.Picture seen = shadow(scenario, batches, "sjf", 0).picture();

        assertThat(seen.guesses()).isPositive();
    }

    private static ShadowReplay shadow(
            Scenario scenario, List<Batch> batches, String policy, int begin) {
        return shadow(scenario, batches, policy, begin, (batch, cycleResult) -> {});
    }

    private static ShadowReplay shadow(
            Scenario scenario, List<Batch> batches, String policy, int begin, Listener rounds) {
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        var engine = new Engine(scenarioPolicy.toPolicy(), scenarioPolicy.toSettings());
        batches.subList(0, begin).forEach(engine::apply);
        String chosen = engine.state().policy();
        var schedulerConfig =
                new SchedulerConfig(
                        chosen.isEmpty() ? scenarioPolicy.policy() : chosen,
                        scenarioPolicy.toSettings());
        var from =
                new ShadowReplay.Beginning(
                        engine.image(), engine.learner().image(), schedulerConfig);
        var shadow =
                new ShadowReplay(
                        from,
                        policy,
                        "",
                        text ->
                                new SchedulerConfig(
                                        scenarioPolicy.policy(), scenarioPolicy.toSettings()),
                        PATIENCE,
                        100_000,
                        rounds);
        batches.subList(begin, batches.size()).forEach(shadow::hear);
        return shadow;
    }
}
