package io.gpusched.core.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

final class ForecastCalibrationTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private static StartEstimate said(double minutes, double spread) {
        return new StartEstimate(at(minutes / spread), at(minutes), at(minutes * spread));
    }

    private static Instant at(double minutes) {
        return NOW.plus(Duration.ofMillis((long) (60_000 * minutes)));
    }

    /// Starts come half as late again as foreseen and vary far more than was said.
    private static double held(ForecastCalibration forecastCalibration, long seed, int starts) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int inside = 0;
        for (int i = 0; i < starts; i++) {
            double minutes = 10 * Math.exp(4 * random.nextDouble());
            StartEstimate foreseen = said(minutes, 1.1);
            Instant came = at(1.5 * minutes * Math.exp(0.6 * random.nextGaussian()));
            StartEstimate corrected = forecastCalibration.corrected(foreseen, NOW);
            boolean in =
                    !came.isBefore(Objects.requireNonNull(corrected.early()))
                            && !came.isAfter(Objects.requireNonNull(corrected.late()));
            inside += in ? 1 : 0;
            forecastCalibration.started(foreseen, NOW, came);
        }
        return (double) inside / starts;
    }

    @Test
    void rangesComeToHoldWhatTheyPromise() {
        for (long seed = 1; seed <= 5; seed++) {
            var forecastCalibration = new ForecastCalibration();
            held(forecastCalibration, seed, 500);
            assertThat(held(forecastCalibration, seed + 100, 1_000))
                    .as("seed %s", seed)
                    .isBetween(.75, .85);
        }
    }

    @Test
    void atFirstRangesAreOnlyMadeWider() {
        StartEstimate corrected = new ForecastCalibration().corrected(said(60, 2), NOW);
        assertThat(corrected.early()).isBetween(at(15), at(29));
        assertThat(corrected.middle()).isEqualTo(at(60));
        assertThat(corrected.late()).isBetween(at(150), at(180));
    }

    @Test
    void whatWasNotForeseenStaysSo() {
        var forecastCalibration = new ForecastCalibration();
        held(forecastCalibration, 1, 100);
        var unknown = new StartEstimate(null, null, null);
        assertThat(forecastCalibration.corrected(unknown, NOW)).isEqualTo(unknown);
        forecastCalibration.started(unknown, NOW, at(5));
    }

    @Test
    void anImageGoesOnTheSame() {
        var one = new ForecastCalibration();
        held(one, 3, 300);
        ForecastCalibration other = ForecastCalibration.restored(one.image());
        held(one, 4, 50);
        held(other, 4, 50);
        assertThat(other.image()).isEqualTo(one.image());
    }
}
