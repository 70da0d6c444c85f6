package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.pool.ScheduledSize;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

final class SchedulesTest {
    private static final ScheduledSize OFFICE = new ScheduledSize("office", 0b11111, 480, 600, 6);
    private static final ScheduledSize NIGHT = new ScheduledSize("night", 0b1000000, 1_380, 120, 2);

    private static int at(String time, Duration lead) {
        ScheduledSize found = Schedules.at(List.of(OFFICE, NIGHT), Instant.parse(time), lead);
        return found == null ? 0 : found.replicas();
    }

    @Test
    void aScheduleHoldsOnItsDaysAndHours() {
        assertThat(at("2026-01-05T07:59:00Z", Duration.ZERO)).isZero();
        assertThat(at("2026-01-05T08:00:00Z", Duration.ZERO)).isEqualTo(6);
        assertThat(at("2026-01-05T17:59:00Z", Duration.ZERO)).isEqualTo(6);
        assertThat(at("2026-01-05T18:00:00Z", Duration.ZERO)).isZero();
        assertThat(at("2026-01-10T12:00:00Z", Duration.ZERO)).isZero();
    }

    @Test
    void replicasAreReadyWhenItBegins() {
        assertThat(at("2026-01-05T07:59:10Z", Duration.ofSeconds(60))).isEqualTo(6);
    }

    @Test
    void aScheduleMayPassMidnight() {
        assertThat(at("2026-01-11T23:30:00Z", Duration.ZERO)).isEqualTo(2);
        assertThat(at("2026-01-12T00:59:00Z", Duration.ZERO)).isEqualTo(2);
        assertThat(at("2026-01-12T01:00:00Z", Duration.ZERO)).isZero();
    }
}
