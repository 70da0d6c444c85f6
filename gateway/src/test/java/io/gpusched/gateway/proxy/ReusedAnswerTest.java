package io.gpusched.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReusedAnswerTest {
    private static final long MILLIS = 1_000_000;

    private long now;
    private long cost;
    private int made;
    private final ReusedAnswer page = new ReusedAnswer(this::make, () -> now);

    private GatewayAnswer make() {
        now += cost;
        made++;
        return GatewayAnswer.json(200, "{}");
    }

    /// Asks every millisecond for a second, and returns how many pages were made.
    private int asked(long costMillis) {
        cost = costMillis * MILLIS;
        made = 0;
        for (long end = now + 1_000 * MILLIS; now < end; now += MILLIS) {
            assertThat(page.get().status()).isEqualTo(200);
        }
        return made;
    }

    @Test
    void pagesTakeATwentiethOfTheLoopAtMost() {
        assertThat(asked(5)).as("5 ms, then 100 ms of use").isEqualTo(10);
    }

    @Test
    void aPageIsUsedForASecondAtMost() {
        assertThat(asked(200)).isEqualTo(1);
        assertThat(asked(200)).isEqualTo(1);
    }

    @Test
    void aPageThatCostsNothingIsAlwaysFresh() {
        assertThat(asked(0)).isEqualTo(1_000);
    }
}
