package io.gpusched.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class DurationSpreadTest {
    @Test
    void percentilesAreByNearestRank() {
        var durations = new DurationSpread.Durations();
        for (int i = 100; i >= 1; i--) {
            durations.add(Duration.ofSeconds(i));
        }
        assertThat(DurationSpread.of(durations))
                .isEqualTo(
                        new DurationSpread(
                                100,
                                Duration.ofMillis(50_500),
                                Duration.ofSeconds(50),
                                Duration.ofSeconds(90),
                                Duration.ofSeconds(99),
                                Duration.ofSeconds(100)));
    }

    @Test
    void nothingIsSpreadOverNothing() {
        assertThat(DurationSpread.of(new DurationSpread.Durations()).p99()).isZero();
        assertThat(DurationSpread.of(new DurationSpread.Durations()).count()).isZero();
    }
}
