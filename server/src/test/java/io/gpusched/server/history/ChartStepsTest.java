package io.gpusched.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;

final class ChartStepsTest {
    private static final long NOW = Instant.parse("2026-01-05T12:00:07Z").getEpochSecond();

    @Test
    void anHourIn300PointsIsShownInStepsOf20Seconds() {
        var steps = last(Duration.ofHours(1), 300);
        assertThat(steps.level()).isEqualTo(HistoryLevel.TEN_SECONDS);
        assertThat(steps.seconds()).isEqualTo(20);
        assertThat(steps.times()).hasSize(181);
    }

    @Test
    void aLongerWindowHasRoundLongerSteps() {
        assertThat(last(Duration.ofDays(1), 300).seconds()).isEqualTo(300);
        assertThat(last(Duration.ofDays(14), 300).seconds()).isEqualTo(7200);
        assertThat(last(Duration.ofDays(400), 300).seconds()).isEqualTo(2 * 86_400);
    }

    @Test
    void anOldWindowUsesTheStepsThatAreStillKept() {
        long from = NOW - Duration.ofDays(3).toSeconds();
        var steps = ChartSteps.of(new HistoryReader.Window(from, from + 3600, 300), NOW);
        assertThat(steps.seconds()).isEqualTo(600);
    }

    @Test
    void noWindowGivesMorePointsThanAskedFor() {
        long seed = Long.getLong("seed", 3);
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            long from = (long) (random.nextGaussian() * Math.pow(10, random.nextInt(18)));
            long to =
                    from
                            + 1
                            + (long)
                                    (Math.abs(random.nextGaussian())
                                            * Math.pow(10, random.nextInt(18)));
            int points = 1 + random.nextInt(400);
            var steps = ChartSteps.of(new HistoryReader.Window(from, to, points), NOW);
            assertThat(steps.times())
                    .as("%s to %s in %s, seed %s", from, to, points, seed)
                    .hasSizeLessThanOrEqualTo(points);
            assertThat(steps.seconds() % steps.level().seconds()).isZero();
        }
    }

    @Test
    void aWindowInTheFutureIsEmpty() {
        assertThat(ChartSteps.of(new HistoryReader.Window(NOW + 100, NOW + 200, 10), NOW).times())
                .isEmpty();
    }

    private static ChartSteps last(Duration window, int points) {
        return ChartSteps.of(new HistoryReader.Window(NOW - window.toSeconds(), NOW, points), NOW);
    }
}
