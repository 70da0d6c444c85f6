package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

final class WaitSketchTest {
    private static final long SEED = Long.getLong("seed", 7);

    @Test
    void aQuantileIsWithinFivePercentOfTheTrueOne() {
        var random = new Random(SEED);
        var waits = new double[1000];
        var sketch = WaitSketch.NONE;
        for (int i = 0; i < waits.length; i++) {
            waits[i] = 0.02 + Math.exp(random.nextGaussian() * 3);
            sketch = sketch.plus(of(Duration.ofMillis(Math.round(waits[i] * 1000))));
        }
        Arrays.sort(waits);
        for (double part : new double[] {0.1, 0.5, 0.9, 1}) {
            double exact = waits[(int) Math.ceil(part * waits.length) - 1];
            assertThat(sketch.quantile(part))
                    .as("part %s, seed %s", part, SEED)
                    .isCloseTo(exact, within(exact * 0.05 + 0.001));
        }
    }

    @Test
    void mergingIsTheSameAsAddingEach() {
        var one = of(Duration.ofSeconds(3)).plus(of(Duration.ofSeconds(3)));
        var other = of(Duration.ofHours(2));
        assertThat(one.plus(other).counts())
                .isEqualTo(
                        new TreeMap<>(
                                Map.of(
                                        WaitSketch.bucket(Duration.ofSeconds(3)),
                                        2,
                                        WaitSketch.bucket(Duration.ofHours(2)),
                                        1)));
    }

    @Test
    void withoutJobsThereIsNoQuantile() {
        assertThat(WaitSketch.NONE.quantile(0.5)).isNaN();
        assertThat(of(Duration.ZERO).quantile(0.5)).isZero();
    }

    @Test
    void theEncodedFormIsReadAgainAndDamageIsHarmless() {
        var sketch = new WaitSketch(new TreeMap<>(Map.of(0, 1, 3, 200, 290, 100_000)));
        assertThat(WaitSketch.decoded(sketch.encoded())).isEqualTo(sketch);
        assertThat(WaitSketch.decoded(new byte[0])).isEqualTo(WaitSketch.NONE);
        var random = new Random(SEED);
        for (int i = 0; i < 1000; i++) {
            var bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            WaitSketch.decoded(bytes).quantile(0.5);
        }
    }

    private static WaitSketch of(Duration wait) {
        return new WaitSketch(new TreeMap<>(Map.of(WaitSketch.bucket(wait), 1)));
    }
}
