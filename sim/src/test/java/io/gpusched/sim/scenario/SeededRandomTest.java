package io.gpusched.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.LinkedHashMap;

final class SeededRandomTest {
    private static final int DRAWS = 20_000;

    @Test
    void aStreamFollowsFromItsSeedAlone() {
        assertThat(new SeededRandom(42).next()).isEqualTo(new SeededRandom(42).next());
        assertThat(SeededRandom.of(1, "truth", 7).next())
                .isEqualTo(SeededRandom.of(1, "truth", 7).next());
        assertThat(SeededRandom.of(1, "truth", 7).next())
                .isNotEqualTo(SeededRandom.of(1, "truth", 8).next());
        assertThat(SeededRandom.of(1, "truth", 7).next())
                .isNotEqualTo(SeededRandom.of(1, "other", 7).next());
    }

    @Test
    void theFirstNumberNeverChanges() {
        assertThat(new SeededRandom(0).next()).isEqualTo(-2152535657050944081L);
    }

    @Test
    void drawsAreSpreadAsTheySay() {
        var seededRandom = new SeededRandom(1);
        var weights = new LinkedHashMap<String, Double>();
        weights.put("often", 3.0);
        weights.put("seldom", 1.0);
        double often = 0;
        double gaps = 0;
        double below = 0;
        for (int i = 0; i < DRAWS; i++) {
            often += seededRandom.pick(weights).equals("often") ? 1 : 0;
            gaps += seededRandom.exponential(Duration.ofSeconds(60)).toMillis() / 1000.0;
            below += seededRandom.logNormal(Duration.ofSeconds(60), 3).toSeconds() < 60 ? 1 : 0;
            assertThat(seededRandom.between(3, 5)).isBetween(3, 5);
        }
        assertThat(often / DRAWS).isCloseTo(0.75, within(0.02));
        assertThat(gaps / DRAWS).isCloseTo(60, within(2.0));
        assertThat(below / DRAWS).isCloseTo(0.5, within(0.02));
    }
}
