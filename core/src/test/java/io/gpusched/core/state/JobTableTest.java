package io.gpusched.core.state;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

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

    private static Job held(long number) {
        return job(number).with(new Phase.Held(NOW, "test"));
    }

    private static List<Long> waiting(JobTable of) {
        var numbers = new ArrayList<Long>();
        of.forEachWaiting(job -> numbers.add(job.id().number()));
        return numbers;
    }

    @Test
    void theWaitingJobsAreThoseThatAPlainLookFinds() {
        for (long seed = 1; seed <= 20; seed++) {
            var random = new Random(seed);
            var some = new JobTable();
            var plain = new TreeSet<Long>();
            var snapshots = new LinkedHashMap<JobTable, List<Long>>();
            for (long step = 1; step <= 3000; step++) {
                long number = 1 + random.nextLong(3 * step);
                switch (random.nextInt(3)) {
                    case 0 -> {
                        some.put(job(number));
                        plain.add(number);
                    }
                    case 1 -> {
                        some.put(held(number));
                        plain.remove(number);
                    }
                    default -> {
                        if (some.job(number) != null) {
                            some.remove(number);
                            plain.remove(number);
                        }
                    }
                }
                if (step % 500 == 0) {
                    snapshots.put(some.snapshot(), List.copyOf(plain));
                }
            }
            assertThat(waiting(some)).as("seed %s", seed).containsExactlyElementsOf(plain);
            snapshots.forEach((then, numbers) -> assertThat(waiting(then)).isEqualTo(numbers));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 100_000, 1_000_000})
    void findingTheWaitingJobsDoesNotReadTheOthers(int jobs) {
        for (long number = 1; number <= jobs; number++) {
            table.put(held(number));
        }
        for (int few = 1; few <= 10; few++) {
            table.put(job(few * (jobs / 10L)));
        }
        var found = new ArrayList<Job>();
        long read = table.forEachWaiting(found::add);
        assertThat(found).hasSize(10);
        assertThat(read).isLessThanOrEqualTo(10 + jobs / 256 / 64 * 2 + 1);
    }

    private static Job job(long number) {
        return aJob().waiting(number, NOW);
    }
}
