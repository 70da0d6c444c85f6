package io.gpusched.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicReference;

final class MetersTest {
    private final Meters meters = new Meters();

    @Test
    void timesBelowASecondAreDistinguished() {
        meters.appended(300_000);
        meters.appended(900_000);
        meters.appended(20_000_000);
        assertThat(meters.text())
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"2.5E-4\"} 0")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"5.0E-4\"} 1")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"0.001\"} 2")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"0.025\"} 3")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"+Inf\"} 3")
                .contains("gpu_scheduler_journal_append_seconds_count 3")
                .contains("gpu_scheduler_journal_append_seconds_sum 0.02");
    }

    @Test
    void timesOfCyclesAndScoresHaveBucketsBelowASecond() {
        meters.took(1, 200_000);
        meters.took(0, 200_000);
        new ScoreMeters(meters).decided("a100", false, 0.02);
        assertThat(meters.text())
                .contains("gpu_scheduler_scheduling_latency_bucket{le=\"1.0E-4\"} 0")
                .contains("gpu_scheduler_scheduling_latency_bucket{le=\"2.5E-4\"} 1")
                .contains("gpu_scheduler_scheduling_latency_count 1")
                .contains("scheduler_scoring_duration_seconds_bucket{le=\"0.01\"} 0")
                .contains("scheduler_scoring_duration_seconds_bucket{le=\"0.025\"} 1");
    }

    @Test
    void aFigureThatIsNotANumberYetIsAbsent() {
        var figure = new AtomicReference<>(Double.NaN);
        meters.gauge("gpu_scheduler_part_ratio", "A part.", figure::get);
        assertThat(meters.text()).doesNotContain("gpu_scheduler_part_ratio");
        figure.set(0.0);
        assertThat(meters.text()).contains("gpu_scheduler_part_ratio 0.0\n");
        figure.set(0.75);
        assertThat(meters.text()).contains("gpu_scheduler_part_ratio 0.75\n");
    }
}
