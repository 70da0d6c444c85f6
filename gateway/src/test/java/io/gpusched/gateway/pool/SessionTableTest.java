package io.gpusched.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class SessionTableTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final SessionTable table = new SessionTable(2);

    private static SessionKey session(String name) {
        return SessionKey.of(name);
    }

    @Test
    void aSessionIsKnownByAHashOfItsName() {
        String longName = "x".repeat(30_000);
        assertThat(session(longName)).isEqualTo(session(longName)).isNotEqualTo(session("x"));
        assertThat(session("")).isEqualTo(SessionKey.NONE);
        table.use(session(longName), "job-1", 0, false);
        assertThat(table.find(session(longName), 1, HOUR)).isEqualTo("job-1");
        assertThat(table.find(session("x"), 1, HOUR)).isNull();
    }

    @Test
    void theSessionThatWasNotUsedForLongestIsForgotten() {
        table.use(session("a"), "job-1", 0, false);
        table.use(session("b"), "job-2", 1, false);
        table.use(session("a"), "job-1", 2, true);
        table.use(session("c"), "job-3", 3, false);

        assertThat(table.size()).isEqualTo(2);
        assertThat(table.find(session("a"), 4, HOUR)).isEqualTo("job-1");
        assertThat(table.find(session("b"), 4, HOUR)).isNull();
        assertThat(table.find(session("c"), 4, HOUR)).isEqualTo("job-3");
    }

    @Test
    void aSessionIsForgottenAfterItsTime() {
        table.use(session("a"), "job-1", 0, false);

        assertThat(table.find(session("a"), HOUR.toNanos(), HOUR)).isEqualTo("job-1");
        assertThat(table.find(session("a"), HOUR.toNanos() + 1, HOUR)).isNull();
        assertThat(table.size()).isZero();
    }

    @Test
    void theRatioCountsRequestsOfKnownSessions() {
        assertThat(table.hitRatio()).isZero();
        table.use(session("a"), "job-1", 0, false);
        table.use(session("a"), "job-1", 1, true);
        table.use(session("a"), "job-2", 2, false);
        assertThat(table.hitRatio()).isEqualTo(0.5);
    }
}
