package io.gpusched.core.learn.runtime;

import static io.gpusched.core.learn.runtime.World.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

final class InterferenceModelTest {
    private static final int KINDS = 4;
    private static final List<String> GPUS = List.of("A100", "L4");

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theLearnedMatrixIsWithinATenthAfterTwoThousandRuns(long seed) {
        var world = new World(seed);
        double[][][] truth = new double[GPUS.size()][KINDS][KINDS];
        for (double[][] on : truth) {
            for (double[] row : on) {
                for (int i = 0; i < KINDS; i++) {
                    row[i] = 1 + world.dice.nextDouble();
                }
            }
        }
        for (int run = 0; run < 2000; run++) {
            int gpu = world.dice.nextInt(GPUS.size());
            int kind = world.dice.nextInt(KINDS);
            int beside = world.dice.nextInt(KINDS + 2);
            double alone = world.about(100 * (1 + kind) * (1 + 2 * gpu), 0.1);
            Profile work = work("k" + kind, GPUS.get(gpu));
            if (beside >= KINDS) {
                world.ran(work, alone);
            } else {
                world.ran(work, alone * truth[gpu][kind][beside], "k" + beside);
            }
        }
        for (int gpu = 0; gpu < GPUS.size(); gpu++) {
            for (int kind = 0; kind < KINDS; kind++) {
                for (int beside = 0; beside < KINDS; beside++) {
                    double learned =
                            world.model
                                    .slowdown("k" + kind, List.of("k" + beside), GPUS.get(gpu))
                                    .factor();
                    assertThat(learned / truth[gpu][kind][beside])
                            .as("k%s beside k%s on %s", kind, beside, GPUS.get(gpu))
                            .isCloseTo(1, within(0.1));
                }
            }
        }
    }

    @Test
    void theSlowdownsOfTwoNeighboursAreIndependent() {
        var world = new World(4);
        for (int i = 0; i < 30; i++) {
            world.ran(work("quiet", "A100"), world.about(100, 0.05));
            world.ran(work("loud", "A100"), world.about(100, 0.05));
            world.ran(work("quiet", "A100"), world.about(150, 0.05), "loud");
            world.ran(work("loud", "A100"), world.about(100, 0.05), "quiet");
        }
        assertThat(world.model.slowdown("quiet", List.of("loud"), "A100").factor())
                .isCloseTo(1.5, within(0.08));
        assertThat(world.model.slowdown("loud", List.of("quiet"), "A100").factor())
                .isCloseTo(1, within(0.05));
        assertThat(world.model.belief(work("quiet", "A100")).typicalSeconds())
                .isCloseTo(100, within(5.0));
    }

    @Test
    void aPairThatNeverMetOnAGpuModelStartsFromItsSlowdownElsewhere() {
        var world = new World(5);
        for (int i = 0; i < 30; i++) {
            world.ran(work("a", "A100"), world.about(100, 0.05));
            world.ran(work("a", "A100"), world.about(140, 0.05), "b");
        }
        Slowdown elsewhere = world.model.slowdown("a", List.of("b"), "H100");
        assertThat(elsewhere.factor()).isCloseTo(1.4, within(0.08));
        assertThat(elsewhere.runs()).isZero();
        assertThat(elsewhere.variance())
                .isGreaterThan(world.model.slowdown("a", List.of("b"), "A100").variance());
    }

    @Test
    void aKindThatNeverRanAloneIsEstimatedFromItsSharedRuns() {
        var world = new World(6);
        for (int i = 0; i < 10; i++) {
            world.ran(work("shy", "A100"), world.about(300, 0.05), "loud");
        }
        assertThat(world.model.estimate(work("shy", "A100"), world.now).median())
                .isCloseTo(300, within(60.0));
        for (int i = 0; i < 5; i++) {
            world.ran(work("shy", "A100"), world.about(200, 0.05));
        }
        assertThat(world.model.estimate(work("shy", "A100"), world.now).median())
                .isCloseTo(200, within(40.0));
    }
}
