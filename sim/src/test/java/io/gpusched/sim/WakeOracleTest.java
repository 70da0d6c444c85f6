package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.report.Timeline;
import io.gpusched.sim.scenario.Scenario;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Waking only what could have changed decides the same as waking everything, every time.
final class WakeOracleTest {
    @Test
    void wakingLittleDecidesLikeWakingEverything() {
        check(40, Mood.CALM);
    }

    @Test
    void wakingLittleDecidesLikeWakingEverythingWhenThingsGoWrong() {
        check(40, Mood.STORMY);
    }

    @Test
    void wakingLittleDecidesLikeWakingEverythingWhereAModelOrdersTheQueue() {
        PropertyRunner.check(
                60,
                seed -> RandomScenario.script(seed, LearnedScenario.mood(seed), 40),
                (seed, script) -> {
                    Scenario scenario =
                            LearnedScenario.of(
                                    seed, RandomScenario.cluster(seed, LearnedScenario.mood(seed)));
                    Scenario whole = RandomScenario.with(scenario, script);
                    compare(whole, batches(whole, seed, false), batches(whole, seed, true));
                });
    }

    private static void check(int seeds, Mood mood) {
        PropertyRunner.check(
                seeds,
                seed -> RandomScenario.script(seed, mood, 40),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, mood), script);
                    List<Batch> little = batches(scenario, seed, false);
                    List<Batch> everything = batches(scenario, seed, true);
                    compare(scenario, little, everything);
                });
    }

    /// Both tell the same story, to the last batch.
    static void compare(Scenario scenario, List<Batch> some, List<Batch> others) {
        for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
            Batch one = some.get(i);
            Batch other = others.get(i);
            assertThat(one.equals(other) ? List.of() : story(scenario, one))
                    .as(
                            "batch %s under %s on %s",
                            one.number(), scenario.scenarioPolicy(), nodes(scenario))
                    .isEqualTo(one.equals(other) ? List.of() : story(scenario, other));
            assertThat(one).isEqualTo(other);
        }
        assertThat(some).hasSameSizeAs(others);
    }

    private static List<String> story(Scenario scenario, Batch batch) {
        var lines = new ArrayList<String>();
        var nothing =
                new CycleResult(batch.at(), List.of(), new TreeMap<>(), CycleResult.Work.NONE);
        new Timeline(scenario.start(), lines::add).concluded(batch, nothing);
        return lines;
    }

    private static String nodes(Scenario scenario) {
        return scenario.nodes().stream()
                .map(
                        node ->
                                "%s %d×%s %s %s %s"
                                        .formatted(
                                                node.id(),
                                                node.gpus().size(),
                                                node.gpus().isEmpty()
                                                        ? ""
                                                        : node.gpus().getFirst().model(),
                                                node.host(),
                                                node.labels(),
                                                node.taints()))
                .collect(Collectors.joining("; "));
    }

    static List<Batch> batches(Scenario scenario, long seed, boolean everything) {
        EngineSettings rules = scenario.scenarioPolicy().toSettings();
        var settings =
                EngineSettings.builder()
                        .policy(rules.policy())
                        .maxWaiting(rules.maxWaiting())
                        .assumedRuntime(rules.assumedRuntime())
                        .wakeEverything(everything)
                        .topologyLevels(rules.topologyLevels())
                        .fairShareSettings(rules.fairShareSettings())
                        .idle(rules.idle())
                        .predictionSettings(rules.predictionSettings())
                        .build();
        return Audited.run(scenario, seed, settings, List.of()).batches();
    }
}
