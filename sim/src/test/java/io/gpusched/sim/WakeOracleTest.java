package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Waking only what could have changed decides the same as waking everything, every time.
final class WakeOracleTest {
    @Test
    void wakingLittleDecidesLikeWakingEverything() {
        check(80, Mood.CALM);
    }

    @Test
    void wakingLittleDecidesLikeWakingEverythingWhenThingsGoWrong() {
        check(80, Mood.STORMY);
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
                    compare(little, everything);
                });
    }

    static void compare(List<Batch> some, List<Batch> others) {
        for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
            assertThat(some.get(i)).as("batch %s", i + 1).isEqualTo(others.get(i));
        }
        assertThat(some).hasSameSizeAs(others);
    }

    private static List<Batch> batches(Scenario scenario, long seed, boolean everything) {
        EngineSettings rules = scenario.rules().toSettings();
        var settings =
                new EngineSettings(
                        rules.policy(), rules.maxWaiting(), rules.assumedRuntime(), everything);
        return Audited.run(scenario, seed, settings, List.of()).batches();
    }
}
