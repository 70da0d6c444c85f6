package io.gpusched.core.learn.runtime;

import static io.gpusched.core.learn.runtime.World.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RuntimeEstimateTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void quantilesIncreaseAndWithinInvertsThem(long seed) {
        RuntimeEstimate runtimeEstimate = twoModes(seed);
        double before = 0;
        for (int percent = 0; percent <= 100; percent++) {
            double seconds = runtimeEstimate.quantile(percent / 100.0);
            assertThat(seconds).as("at %s %%", percent).isGreaterThanOrEqualTo(before);
            before = seconds;
        }
        for (double p : new double[] {0.1, 0.3, 0.7, 0.95}) {
            assertThat(runtimeEstimate.within(runtimeEstimate.quantile(p)))
                    .isCloseTo(p, within(0.05));
            assertThat(runtimeEstimate.sample(p)).isEqualTo(runtimeEstimate.quantile(p));
        }
        assertThat(runtimeEstimate.within(0)).isZero();
        assertThat(runtimeEstimate.mean())
                .isBetween(runtimeEstimate.quantile(0.05), runtimeEstimate.quantile(0.99));
    }

    @Test
    void aRunThatExceededTheShortModeIsInTheLongOne() {
        RuntimeEstimate runtimeEstimate = twoModes(14);
        assertThat(runtimeEstimate.quantile(0.25)).isCloseTo(60, within(10.0));
        assertThat(runtimeEstimate.remaining(0, 0.5)).isEqualTo(runtimeEstimate.median());
        assertThat(200 + runtimeEstimate.remaining(200, 0.5)).isCloseTo(3600, within(500.0));
        assertThat(runtimeEstimate.remaining(200, 0.1))
                .isLessThan(runtimeEstimate.remaining(200, 0.9));
        double old = 3e8;
        assertThat(runtimeEstimate.remaining(old, 0.5)).isCloseTo(old, within(old / 2));
    }

    @Test
    void aSlowedEstimateIsTheSameDistributionScaled() {
        RuntimeEstimate runtimeEstimate = twoModes(15);
        RuntimeEstimate slowed = runtimeEstimate.slowed(1.5);
        assertThat(slowed.quantile(0.3))
                .isCloseTo(1.5 * runtimeEstimate.quantile(0.3), within(1e-6));
        assertThat(slowed.belief().typicalSeconds())
                .isCloseTo(1.5 * runtimeEstimate.belief().typicalSeconds(), within(1e-6));
    }

    /// Half the runs fail after a minute, the other half takes an hour.
    private static RuntimeEstimate twoModes(long seed) {
        var world = new World(seed);
        for (int i = 0; i < 200; i++) {
            world.ran(work("train", "A100"), world.about(i % 2 == 0 ? 60 : 3600, 0.05));
        }
        return world.model.estimate(work("train", "A100"), world.now);
    }

    /// Kinds of all sorts: steady, wide, with modes, and one that changes every hundred runs.
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22})
    void eightOfTenRunsEndInTheEightyPercentRange(long seed) {
        var world = new World(seed);
        int inside = 0;
        int asked = 0;
        for (int i = 0; i < 2500; i++) {
            Profile work = work("kind-" + i % 4, "A100");
            double seconds =
                    switch (i % 4) {
                        case 0 -> world.about(100, 0.05);
                        case 1 -> world.about(1000, 1);
                        case 2 -> world.about(world.dice.nextBoolean() ? 10 : 5000, 0.2);
                        default -> world.about(50 << (i / 400), 0.2);
                    };
            if (i >= 500) {
                RuntimeEstimate runtimeEstimate = world.model.estimate(work, world.now);
                asked++;
                inside +=
                        seconds >= runtimeEstimate.quantile(0.1)
                                        && seconds <= runtimeEstimate.quantile(0.9)
                                ? 1
                                : 0;
            }
            world.ran(work, seconds);
        }
        assertThat((double) inside / asked).isCloseTo(0.8, within(0.03));
    }
}
