package io.gpusched.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

final class RateLimitTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(-5 * SECOND);
    private final Caller one = new Caller.Admin("one");
    private final Caller other = new Caller.Admin("other");

    @Test
    void aSecondsWorthMayComeAtOnceThenOneWaits() {
        var limit = new RateLimit(10, now::get);
        for (int i = 0; i < 10; i++) {
            assertThat(limit.secondsToWait(one)).isZero();
        }
        assertThat(limit.secondsToWait(one)).isPositive();
        assertThat(limit.secondsToWait(other)).as("each caller has its own").isZero();

        now.addAndGet(SECOND / 10);
        assertThat(limit.secondsToWait(one)).isZero();
        assertThat(limit.secondsToWait(one)).isPositive();
    }

    @Test
    void aGatewaySpeaksForManyAndHasNoLimit() {
        var limit = new RateLimit(1, now::get);
        for (int i = 0; i < 100; i++) {
            assertThat(limit.secondsToWait(new Caller.Gateway("gw"))).isZero();
        }
    }

    @Test
    void overAMinuteTheRateIsHeld() {
        var limit = new RateLimit(10, now::get);
        int granted = 0;
        for (int i = 0; i < 60_000; i++) {
            granted += limit.secondsToWait(one) == 0 ? 1 : 0;
            now.addAndGet(SECOND / 1000);
        }
        assertThat(granted).isBetween(600, 611);
    }

    @Test
    void zeroIsNoLimit() {
        var limit = new RateLimit(0, now::get);
        for (int i = 0; i < 100_000; i++) {
            assertThat(limit.secondsToWait(one)).isZero();
        }
    }
}
