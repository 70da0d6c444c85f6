package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.RandomScenario.Mood;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The auditor watches random workloads, in good weather and bad.
final class StormTest {
    @Test
    void promisesHoldWhenNothingGoesWrong() {
        hold(100, 40, Mood.CALM);
    }

    @Test
    void promisesHoldWhenEverythingGoesWrong() {
        hold(150, 40, Mood.STORMY);
    }

    @Test
    void promisesHoldWhenTheSchedulerItselfStartsAgain() {
        hold(60, 40, Mood.WILD);
    }

    @Test
    @Tag("long")
    void promisesHoldForLong() {
        hold(3000, 60, Mood.WILD);
    }

    private static void hold(int seeds, int jobs, Mood mood) {
        PropertyRunner.check(
                seeds,
                seed -> RandomScenario.script(seed, mood, jobs),
                (seed, script) -> {
                    var scenario = RandomScenario.with(RandomScenario.cluster(seed, mood), script);
                    Audited run = Audited.run(scenario, seed);
                    assertThat(run.runReport().all().submitted())
                            .isLessThanOrEqualTo(script.size());
                });
    }
}
