package io.gpusched.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class SpreadTest {
    @Test
    void percentilesAreByNearestRank() {
        var durations = new Spread.Durations();
        for (int i = 100; i >= 1; i--) {
            durations.add(Duration.ofSeconds(i));
        }
        assertThat(Spread.of(durations))
                .isEqualTo(
                        new Spread(
                                100,
                                Duration.ofMillis(50_500),
                                Duration.ofSeconds(50),
                                Duration.ofSeconds(90),
                                Duration.ofSeconds(99),
                                Duration.ofSeconds(100)));
    }

    @Test
    void nothingIsSpreadOverNothing() {
        assertThat(Spread.of(new Spread.Durations()).p99()).isZero();
        assertThat(Spread.of(new Spread.Durations()).count()).isZero();
    }
}
