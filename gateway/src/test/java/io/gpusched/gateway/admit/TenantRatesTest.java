package io.gpusched.gateway.admit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;

final class TenantRatesTest {
    private static final long SECOND = 1_000_000_000L;

    /// Ten tokens per second, of tenant `free` without a limit, of tenant `slow` one.
    private final TenantRates rates = new TenantRates(10, Map.of("free", 0.0, "slow", 1.0));

    @Test
    void tenSecondsOfTheRateMayBeUsedAtOnce() {
        assertThat(rates.take("acme", 99, 0)).isZero();
        assertThat(rates.take("acme", 1, 0)).isZero();
        assertThat(rates.take("acme", 1, 0)).isEqualTo(0.1);
        assertThat(rates.take("acme", 1, SECOND)).isZero();
    }

    @Test
    void aDebtIsPaidBeforeTheNextRequest() {
        assertThat(rates.take("acme", 50, 0)).isZero();
        rates.spend("acme", 100, 0);

        assertThat(rates.take("acme", 1, 0)).isEqualTo(5.1);
        assertThat(rates.take("acme", 1, 5 * SECOND)).isEqualTo(0.1);
        assertThat(rates.take("acme", 1, 6 * SECOND)).isZero();
    }

    @Test
    void aRefusedRequestTakesNothing() {
        rates.spend("acme", 109, 0);
        for (int i = 0; i < 100; i++) {
            assertThat(rates.take("acme", 1_000, 0)).isEqualTo(1);
        }
        assertThat(rates.take("acme", 1, SECOND)).isZero();
    }

    @Test
    void tenantsHaveRatesOfTheirOwn() {
        rates.spend("acme", 1_000, 0);
        assertThat(rates.take("other", 1, 0)).isZero();

        assertThat(rates.take("slow", 10, 0)).isZero();
        assertThat(rates.take("slow", 1, 0)).isEqualTo(1);

        rates.spend("free", 1_000_000, 0);
        assertThat(rates.take("free", 1_000_000, 0)).isZero();
    }

    @Test
    void aRestFillsNoMoreThanTenSeconds() {
        assertThat(rates.take("acme", 1, 0)).isZero();
        assertThat(rates.take("acme", 100, 3_600 * SECOND)).isZero();
        assertThat(rates.take("acme", 1, 3_600 * SECOND)).isPositive();
    }
}
