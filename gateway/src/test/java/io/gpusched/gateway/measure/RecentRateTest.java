package io.gpusched.gateway.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RecentRateTest {
    private static final long SECOND = 1_000_000_000L;

    /// The clock of the event loop may begin below zero.
    private static final long START = -3 * SECOND - 1;

    private final RecentRate rate = new RecentRate();

    @Test
    void whatCameInTheLastMinuteCounts() {
        assertThat(rate.perSecond(START)).isZero();
        for (int second = 0; second < 120; second++) {
            rate.add(START + second * SECOND, 30);
        }
        assertThat(rate.perSecond(START + 119 * SECOND)).isEqualTo(30);
        assertThat(rate.perSecond(START + 149 * SECOND)).isEqualTo(15);
        assertThat(rate.perSecond(START + 178 * SECOND)).isEqualTo(0.5);
        assertThat(rate.perSecond(START + 179 * SECOND)).isZero();
    }

    @Test
    void aLongPauseEmptiesEverything() {
        rate.add(START, 600);
        assertThat(rate.perSecond(START)).isEqualTo(10);
        assertThat(rate.perSecond(START + 1_000_000 * SECOND)).isZero();
        rate.add(START + 1_000_000 * SECOND, 60);
        assertThat(rate.perSecond(START + 1_000_000 * SECOND)).isEqualTo(1);
    }
}
