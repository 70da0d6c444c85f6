package io.gpusched.core.queue;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.order.PriorityOrder;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// Compares the wait queue with a plain list.
final class WaitQueueTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<Long, Job> table = new HashMap<>();
    private final PriorityOrder order = new PriorityOrder(Duration.ofSeconds(6));
    private final WaitQueue waitQueue = new WaitQueue(table::get, order::key);

    @Test
    void theFirstIsTheSmallestAfterAnyArrivalsAndDepartures() {
        for (long seed = 1; seed <= 30; seed++) {
            var random = new Random(seed);
            var queue = new WaitQueue(table::get, order::key);
            var present = new ArrayList<Job>();
            var absent = new ArrayList<Job>();
            for (int step = 1; step < 1500; step++) {
                int what = random.nextInt(10);
                if (what < 5 || present.isEmpty()) {
                    Job job =
                            what < 2 && !absent.isEmpty()
                                    ? back(absent, random)
                                    : made(step * (1 + (int) seed % 3 * 300));
                    table.put(job.id().number(), job);
                    queue.add(job);
                    queue.add(job);
                    present.add(job);
                } else {
                    Job job = what < 8 ? first(present) : any(present, random);
                    queue.remove(job);
                    queue.remove(job);
                    present.remove(job);
                    absent.add(job);
                }
                if (random.nextInt(200) == 0) {
                    queue.reorder(order::key, random.nextBoolean(), present);
                }
                WaitClass first = queue.first();
                assertThat(first == null ? null : first.head())
                        .as("seed %s, step %s", seed, step)
                        .isEqualTo(present.isEmpty() ? null : first(present).id().number());
            }
        }
    }

    /// A job that was held goes by its new key when it is released, also when it left from the
    /// middle.
    @Test
    void aJobThatReturnsWithALaterKeyLosesItsFormerPosition() {
        for (int number = 1; number <= 3; number++) {
            add(job(number, 100));
        }
        waitQueue.remove(job(2, 100));
        add(aJob().priority(100).waiting(2, NOW.plusSeconds(500)));
        waitQueue.remove(job(1, 100));
        assertThat(head(waitQueue.first())).isEqualTo(3);
        waitQueue.remove(job(3, 100));
        assertThat(head(waitQueue.first())).isEqualTo(2);
    }

    private void add(Job job) {
        table.put(job.id().number(), job);
        waitQueue.add(job);
    }

    @Test
    void aClassAtRestKnowsItsHeadWhenTheFormerOneLeft() {
        for (int number = 1; number <= 3; number++) {
            add(job(number, 100));
        }
        waitQueue.restUntilCapacity(Objects.requireNonNull(waitQueue.first()), false);
        waitQueue.remove(job(2, 100));
        waitQueue.remove(job(1, 100));
        assertThat(waitQueue.first()).isNull();
        assertThat(head(waitQueue.firstBlocked())).isEqualTo(3);
        waitQueue.remove(job(3, 100));
        assertThat(waitQueue.firstBlocked()).isNull();
        assertThat(waitQueue.classes()).isZero();
    }

    @Test
    void jobsThatLeaveBehindAWaitingHeadAreForgotten() {
        int jobs = 10_000;
        for (int number = 1; number <= jobs; number++) {
            add(job(number, 100));
        }
        WaitClass one = Objects.requireNonNull(waitQueue.first());
        assertThat(one.entries()).isEqualTo(jobs);
        for (int number = 2; number < jobs; number++) {
            waitQueue.remove(job(number, 100));
            int live = jobs - number + 1;
            assertThat(one.entries()).isLessThanOrEqualTo(live + Math.max(8, 2 * live));
        }
        assertThat(one.entries()).isLessThanOrEqualTo(10);
        assertThat(head(waitQueue.first())).isEqualTo(1);
        waitQueue.remove(job(1, 100));
        assertThat(head(waitQueue.first())).isEqualTo(jobs);
    }

    @Test
    void aJobThatLeavesAndReturnsRepeatedlyLeavesNoEntries() {
        add(job(1, 100));
        for (int time = 0; time < 10_000; time++) {
            add(job(2, 100));
            waitQueue.remove(job(2, 100));
        }
        WaitClass one = Objects.requireNonNull(waitQueue.first());
        assertThat(one.entries()).isLessThanOrEqualTo(10);
        assertThat(head(one)).isEqualTo(1);
    }

    @Test
    void aJobSetApartWhileItsOldEntryIsKeptDoesNotReturnThere() {
        for (int number = 1; number <= 4; number++) {
            add(job(number, 100));
        }
        waitQueue.remove(job(3, 100));
        add(job(3, 100));
        waitQueue.setApart(job(3, 100));
        add(job(3, 100));
        waitQueue.remove(job(1, 100));
        waitQueue.remove(job(2, 100));
        assertThat(head(waitQueue.first())).isEqualTo(4);
        waitQueue.endApart(job(3, 100).id());
        add(job(3, 100));
        assertThat(head(waitQueue.first())).isEqualTo(3);
    }

    @Test
    void classesWithoutJobsAreReplacedByOthers() {
        for (int number = 1; number <= 20_000; number++) {
            add(job(number, number));
            waitQueue.remove(job(number, number));
        }
        add(job(20_001, 5));
        add(job(20_002, 6));
        assertThat(waitQueue.classes()).isEqualTo(2);
        assertThat(head(waitQueue.first())).isEqualTo(20_002);
    }

    /// How often the queue asks to be called before nothing is due any more.
    private int wakeUps() {
        int calls = 0;
        for (Instant due = waitQueue.nextDue(); due != null; due = waitQueue.nextDue()) {
            waitQueue.timePassed(due);
            calls++;
        }
        return calls;
    }

    @Test
    void aClassThatRestsAgainAndAgainWakesOnce() {
        add(job(1, 100));
        WaitClass one = Objects.requireNonNull(waitQueue.first());
        int times = 100_000;
        for (int time = 1; time <= times; time++) {
            waitQueue.restUntilCapacity(one, false);
            waitQueue.atTheLatest(one, NOW.plusSeconds(2L * times - time));
            waitQueue.atTheLatest(one, NOW.plusSeconds(times));
        }
        assertThat(waitQueue.nextDue()).isEqualTo(NOW.plusSeconds(times));
        assertThat(wakeUps()).isEqualTo(1);
        assertThat(one.isAwake()).isTrue();
    }

    @Test
    void aClassThatWokeForAnotherReasonIsNotDueAnyMore() {
        for (int number = 1; number <= 1000; number++) {
            add(job(number, number));
            WaitClass one = Objects.requireNonNull(waitQueue.first());
            waitQueue.restUntil(one, NOW.plusSeconds(number % 100));
        }
        assertThat(waitQueue.nextDue()).isEqualTo(NOW);
        waitQueue.wakeAll();
        assertThat(wakeUps()).isZero();
    }

    private static long head(@Nullable WaitClass one) {
        return Objects.requireNonNull(one).head();
    }

    private Job first(List<Job> jobs) {
        return jobs.stream()
                .min(Comparator.comparingLong(order::key).thenComparing(Job::id))
                .orElseThrow();
    }

    private static Job any(List<Job> jobs, Random random) {
        return jobs.get(random.nextInt(jobs.size()));
    }

    /// One of the absent jobs returns, perhaps to another position.
    private static Job back(List<Job> absent, Random random) {
        Job job = absent.remove(random.nextInt(absent.size()));
        return random.nextBoolean() ? job : job.withPriority(random.nextInt(7), job.submitted());
    }

    private static Job made(int number) {
        return job(number, number % 7);
    }

    private static Job job(int number, int priority) {
        return aJob().priority(priority).waiting(number, NOW.plusSeconds(number));
    }
}
