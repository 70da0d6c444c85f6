package io.gpusched.rl;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.generate.BenchmarkWorkload;

import org.junit.jupiter.api.Test;

final class RolloutSearchTest {
    private static final EnvironmentSettings SMALL =
            new EnvironmentSettings(
                    new BenchmarkWorkload(
                            40, 8, 10_000, BenchmarkWorkload.Spacing.ALL_AT_ZERO, 10_000),
                    20,
                    2000,
                    3,
                    Lookahead.PER_GPU);

    @Test
    void searchBeatsTheRulesItBeginsWith() {
        var search = new RolloutSearch(SMALL);
        var environment = new Environment(SMALL);
        for (long seed = 1; seed <= 5; seed++) {
            double byRule = Evaluation.play(Baseline.INDEX, environment, seed).total();
            assertThat(search.play(seed)).as("seed %s", seed).isGreaterThan(byRule);
        }
    }

    @Test
    void theSameSeedGivesTheSameResult() {
        assertThat(new RolloutSearch(SMALL).play(3)).isEqualTo(new RolloutSearch(SMALL).play(3));
    }
}
