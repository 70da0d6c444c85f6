package io.gpusched.core.state;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;

import org.junit.jupiter.api.Test;

import java.time.Instant;

final class JobTableTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final JobTable table = new JobTable();

    @Test
    void aSnapshotDoesNotSeeLaterChanges() {
        table.put(job(1));
        table.put(job(300));
        JobTable before = table.snapshot();
        table.put(job(1).withPriority(7, job(1).submitted()));
        table.put(job(2));
        table.remove(300);
        assertThat(before.job(1)).isEqualTo(job(1));
        assertThat(before.job(2)).isNull();
        assertThat(before.job(300)).isEqualTo(job(300));
        assertThat(before.size()).isEqualTo(2);
        assertThat(table.job(1)).isEqualTo(job(1).withPriority(7, job(1).submitted()));
        assertThat(table.size()).isEqualTo(2);
    }

    @Test
    void anAbsentJobIsNull() {
        assertThat(table.job(0)).isNull();
        assertThat(table.job(-5)).isNull();
        assertThat(table.job(1)).isNull();
        assertThat(table.job(Long.MAX_VALUE)).isNull();
    }

    @Test
    void aTableWhoseOldJobsLeaveStaysSmallAndFindsTheRest() {
        long kept = 1000;
        for (long number = 1; number <= 1_000_000; number++) {
            table.put(job(number));
            if (number > kept) {
                table.remove(number - kept);
            }
        }
        assertThat(table.size()).isEqualTo((int) kept);
        assertThat(table.first()).isBetween(1_000_000 - kept - 256, 1_000_000 - kept + 1);
        for (long number = 1_000_000 - kept + 1; number <= 1_000_000; number++) {
            assertThat(table.job(number)).isNotNull();
        }
        assertThat(table.job(1)).isNull();
    }

    private static Job job(long number) {
        return aJob().waiting(number, NOW);
    }
}
