package io.gpusched.rl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.model.Check;
import io.gpusched.sim.generate.BenchmarkWorkload;
import io.gpusched.sim.generate.BenchmarkWorkload.Spacing;
import io.gpusched.sim.generate.RandomStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class VectorEnvironmentTest {
    private static final EnvironmentSettings SETTINGS =
            new EnvironmentSettings(
                    new BenchmarkWorkload(20, 4, 100, Spacing.BURSTY, 100),
                    8,
                    60,
                    1.3,
                    Lookahead.SORTED);

    /// Everything that can be seen of many steps with random actions.
    private static List<Object> played(int threads) {
        var seen = new ArrayList<>();
        var random = new RandomStream(7);
        try (var all = new VectorEnvironment(SETTINGS, 5, threads)) {
            all.reset(100);
            for (int step = 0; step < 300; step++) {
                var actions = new int[all.size()];
                for (int i = 0; i < actions.length; i++) {
                    actions[i] = random.whole(0, SETTINGS.actions());
                }
                all.step(actions);
                seen.add(Arrays.hashCode(all.observations()));
                seen.add(Arrays.hashCode(all.masks()));
                for (int i = 0; i < all.size(); i++) {
                    seen.add(all.rewards()[i]);
                    seen.add(List.of(all.terminated()[i], all.truncated()[i], all.invalid()[i]));
                    seen.add(all.seed(i));
                }
                all.resetEnded();
            }
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 9})
    void theNumberOfThreadsMakesNoDifference(int threads) {
        assertThat(played(threads)).isEqualTo(played(1));
    }

    @Test
    void eachEnvironmentPlaysAsIfItWereAlone() {
        var alone = new Environment(SETTINGS);
        try (var all = new VectorEnvironment(SETTINGS, 3, 2)) {
            all.reset(40);
            Observation own = alone.reset(42);
            while (true) {
                assertThat(third(all.observations())).isEqualTo(own.numbers());
                assertThat(all.masks()[2 * SETTINGS.actions()]).isTrue();
                int action = Baseline.SJF.choose(own, alone.random());
                Step step = alone.step(action);
                all.step(new int[] {0, 0, action});
                assertThat(all.rewards()[2]).isEqualTo(step.reward());
                assertThat(all.terminated()[2]).isEqualTo(step.terminated());
                assertThat(all.truncated()[2]).isEqualTo(step.truncated());
                if (step.isLast()) {
                    break;
                }
                all.resetEnded();
            }
            assertThat(third(all.observations()))
                    .as("the last observation stays until the next episode begins")
                    .isEqualTo(own.numbers());
            all.resetEnded();
            assertThat(all.seed(2)).isEqualTo(45);
            assertThat(third(all.observations())).isEqualTo(alone.reset(45).numbers());
        }
    }

    private static float[] third(float[] all) {
        int count = SETTINGS.observed();
        return Arrays.copyOfRange(all, 2 * count, 3 * count);
    }

    @Test
    void aStepInAnEndedEpisodeIsRefusedOnEveryThread() {
        try (var all = new VectorEnvironment(SETTINGS, 2, 2)) {
            all.reset(1);
            while (!(all.truncated()[0] && all.truncated()[1])) {
                all.step(new int[] {0, 0});
            }
            assertThatThrownBy(() -> all.step(new int[] {0, 0}))
                    .hasStackTraceContaining("is over; call reset");
            all.resetEnded();
            all.step(new int[] {0, 0});
        }
    }

    @Test
    void thereIsOneActionForEachEnvironment() {
        try (var all = new VectorEnvironment(SETTINGS, 2, 1)) {
            all.reset(1);
            assertThatThrownBy(() -> all.step(new int[1]))
                    .isInstanceOf(Check.Broken.class)
                    .hasMessage("expected 2 actions, found 1");
        }
    }
}
