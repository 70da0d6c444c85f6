package io.gpusched.rl.evolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.model.Check;
import io.gpusched.rl.evolve.EvolutionStrategy.Settings;
import io.gpusched.rl.evolve.EvolutionStrategy.State;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EvolutionStrategyTest {
    private static final float[] GOAL = {0.5f, -0.3f, 0.2f, 0};
    private static final Settings SETTINGS = new Settings(8, 0.05, 0.02, 0.9);

    private static double fitness(float[] weights) {
        double sum = 0;
        for (int i = 0; i < GOAL.length; i++) {
            sum -= (weights[i] - GOAL[i]) * (weights[i] - GOAL[i]);
        }
        return sum;
    }

    private static void generations(EvolutionStrategy strategy, int count) {
        for (int i = 0; i < count; i++) {
            var fitness = new double[strategy.candidates()];
            for (int candidate = 0; candidate < fitness.length; candidate++) {
                fitness[candidate] = fitness(strategy.candidate(candidate));
            }
            strategy.learn(fitness, 1);
        }
    }

    private static EvolutionStrategy begun() {
        return new EvolutionStrategy(SETTINGS, 1, new State(new float[GOAL.length]));
    }

    @Test
    void itClimbsAHill() {
        EvolutionStrategy strategy = begun();
        generations(strategy, 200);
        assertThat(strategy.average()).containsExactly(GOAL, within(0.05f));
    }

    @Test
    void aContinuedRunEqualsOneThatWasNotInterrupted() {
        EvolutionStrategy whole = begun();
        generations(whole, 20);
        EvolutionStrategy half = begun();
        generations(half, 10);
        State stored = State.of(half.state().generation(), half.state().numbers());
        var rest = new EvolutionStrategy(SETTINGS, 1, stored);
        generations(rest, 10);
        assertThat(rest.state().numbers()).containsExactly(whole.state().numbers());
    }

    @Test
    void candidatesOfAPairAreMirrored() {
        EvolutionStrategy strategy = begun();
        float[] one = strategy.candidate(2);
        float[] other = strategy.candidate(3);
        for (int i = 0; i < one.length; i++) {
            assertThat(one[i]).isNotZero().isEqualTo(-other[i]);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aFitnessThatIsNotFiniteIsRefused(double wrong) {
        EvolutionStrategy strategy = begun();
        var fitness = new double[strategy.candidates()];
        fitness[3] = wrong;
        assertThatThrownBy(() -> strategy.learn(fitness, 1))
                .isInstanceOf(Check.Broken.class)
                .hasMessage("a fitness is a finite number, found " + wrong);
        assertThat(strategy.state().generation()).isZero();
    }

    @Test
    void onlyRanksCount() {
        assertThat(EvolutionStrategy.ranks(new double[] {5, 1e9, -3, 5, 0}))
                .containsExactly(0.125, 0.5, -0.5, 0.125, -0.25);
    }
}
