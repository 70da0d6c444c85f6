package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class CarbonForecastTest {
    private static final Instant FROM = Instant.parse("2026-01-05T00:00:00Z");

    private final CarbonForecast carbonForecast =
            new CarbonForecast(
                    FROM, Duration.ofMinutes(30), new double[] {300, 280, 120, 110, 260, 110, 120});

    @Test
    void aJobInOnePieceStartsWhereItsSlotsCostTheLeastTogether() {
        assertThat(carbonForecast.cleanestStart(0, 6, 2)).isEqualTo(2);
        assertThat(carbonForecast.cleanestStart(0, 1, 2)).isZero();
        assertThat(carbonForecast.cleanestStart(3, 6, 2)).isEqualTo(5);
    }

    @Test
    void theEarliestOfEqualsIsTaken() {
        assertThat(carbonForecast.cleanestStart(0, 6, 1)).isEqualTo(3);
        assertThat(carbonForecast.cleanestStart(4, 6, 1)).isEqualTo(5);
    }

    @Test
    void aJobThatDoesNotFitStartsAtOnce() {
        assertThat(carbonForecast.cleanestStart(5, 60, 10)).isEqualTo(5);
    }

    @Test
    void aJobInPiecesRunsWhereverItCostsNoMoreThanItMust() {
        assertThat(carbonForecast.affordable(0, 6, 2)).isEqualTo(110);
        assertThat(carbonForecast.affordable(0, 6, 3)).isEqualTo(120);
        assertThat(carbonForecast.affordable(0, 1, 5)).isEqualTo(300);
    }

    @Test
    void instantsFallIntoSlots() {
        assertThat(carbonForecast.slotAt(FROM.minusSeconds(1))).isEqualTo(-1);
        assertThat(carbonForecast.slotAt(FROM)).isZero();
        assertThat(carbonForecast.slotAt(FROM.plusSeconds(3599))).isEqualTo(1);
        assertThat(carbonForecast.slotAt(FROM.plus(Duration.ofDays(1)))).isEqualTo(7);
        assertThat(carbonForecast.start(3)).isEqualTo(FROM.plusSeconds(5400));
    }
}
