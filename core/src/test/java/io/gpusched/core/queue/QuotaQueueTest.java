package io.gpusched.core.queue;

import static io.gpusched.core.kit.JobBuilder.aJob;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.policy.order.PriorityOrder;
import io.gpusched.core.tenants.TenantLedger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Compares the search for the job that needs a quota first with a plain search, and counts its
/// work.
final class QuotaQueueTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final TenantId ORG = new TenantId("org");

    private final PriorityOrder order = new PriorityOrder(Duration.ofSeconds(6));
    private final Map<Long, Job> jobs = new LinkedHashMap<>();
    private final TenantLedger tenants = new TenantLedger(Duration.ofDays(1));
    private final QuotaQueue queue = new QuotaQueue(jobs::get, tenants, order::key);

    private void put(String name, @Nullable TenantId parent) {
        var limit = new Limits(8000, 0, 0, 0, 0);
        var tenant =
                new Tenant(
                        new TenantId(name),
                        parent,
                        Limits.ZERO,
                        limit,
                        1,
                        new PreemptionRules(true, true, 0),
                        true,
                        Labels.NONE);
        tenants.put(tenant, NOW);
    }

    private static String team(int number) {
        return "team-" + number;
    }

    private Job job(long number, int team, int gpus, int priority) {
        Job job =
                aJob().of(team(team))
                        .gpus(gpus)
                        .priority(priority)
                        .waiting(number, NOW.plusMillis(number));
        jobs.put(number, job);
        return job;
    }

    /// The plain search: all groups of the first tenant that has any, the first in the queue.
    private @Nullable Job plain(
            Iterable<? extends Map<Usage, List<Job>>> groups, Job job, Predicate<Usage> matters) {
        for (Map<Usage, List<Job>> byNeed : groups) {
            Job found = null;
            for (var group : byNeed.entrySet()) {
                Job first = group.getValue().getFirst();
                for (Job other : group.getValue()) {
                    first = before(other, first) ? other : first;
                }
                if (before(first, job) && matters.test(group.getKey())) {
                    found = found == null || before(first, found) ? first : found;
                }
            }
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private boolean before(Job one, Job other) {
        int byKey = Long.compare(order.key(one), order.key(other));
        return byKey == 0 ? one.id().compareTo(other.id()) < 0 : byKey < 0;
    }

    @Test
    void theSameJobIsFoundAsByLookingAtAll() {
        for (long seed = 1; seed <= 20; seed++) {
            var random = new Random(seed);
            var test = new QuotaQueueTest();
            test.put("org", null);
            for (int team = 0; team < 6; team++) {
                test.put(team(team), team < 4 ? ORG : null);
            }
            test.searchWhileJobsComeAndGo(random, seed);
        }
    }

    private void searchWhileJobsComeAndGo(Random random, long seed) {
        var present = new ArrayList<Job>();
        var groups = new TreeMap<TenantId, Map<Usage, List<Job>>>();
        for (int step = 1; step <= 600; step++) {
            if (random.nextInt(5) < 3 || present.isEmpty()) {
                Job job = job(step, random.nextInt(6), random.nextInt(4), random.nextInt(3));
                queue.add(job);
                present.add(job);
                groups.computeIfAbsent(job.tenant(), id -> new LinkedHashMap<>())
                        .computeIfAbsent(Usage.of(job.spec()), need -> new ArrayList<>())
                        .add(job);
            } else {
                Job job = present.remove(random.nextInt(present.size()));
                queue.remove(job);
                jobs.remove(job.id().number());
                Map<Usage, List<Job>> byNeed = Objects.requireNonNull(groups.get(job.tenant()));
                List<Job> group = Objects.requireNonNull(byNeed.get(Usage.of(job.spec())));
                group.remove(job);
                if (group.isEmpty()) {
                    byNeed.remove(Usage.of(job.spec()));
                }
            }
            Job asks = aJob().priority(random.nextInt(3)).waiting(601, NOW.plusMillis(step / 2));
            long least = random.nextInt(5) * 1000L;
            Predicate<Usage> matters = need -> need.milliGpus() >= least;
            var under = new TreeMap<>(groups);
            under.keySet().removeIf(id -> !tenants.isUnder(id, ORG));
            assertThat(queue.find(ORG, asks, matters))
                    .as("seed %s, step %s", seed, step)
                    .isEqualTo(plain(under.values(), asks, matters))
                    .isEqualTo(rebuilt(present).find(ORG, asks, matters));
            Map<Usage, List<Job>> own = groups.getOrDefault(new TenantId(team(5)), Map.of());
            assertThat(queue.find(new TenantId(team(5)), asks, matters))
                    .as("seed %s, step %s", seed, step)
                    .isEqualTo(plain(List.of(own), asks, matters));
        }
    }

    /// The queue as a snapshot restores it: the waiting jobs in the order of their numbers.
    private QuotaQueue rebuilt(List<Job> present) {
        var sorted = new ArrayList<>(present);
        sorted.sort(Comparator.comparing(Job::id));
        var fresh = new QuotaQueue(jobs::get, tenants, order::key);
        fresh.rebuild(order::key, sorted);
        return fresh;
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1000, 30_000})
    void aSearchCostsAsManyNeedsAsThereAreHoweverManyTenantsWait(int teams) {
        put("org", null);
        long number = 0;
        for (int team = 0; team < teams; team++) {
            put(team(team), ORG);
            for (int gpus = 1; gpus <= 3; gpus++) {
                queue.add(job(++number, team, gpus, 0));
            }
        }
        Job last = job(number + 1, 0, 1, 0);
        long before = queue.lookedAt();
        assertThat(queue.find(ORG, last, need -> false)).isNull();
        assertThat(queue.find(new TenantId(team(1)), last, need -> false)).isNull();
        assertThat(queue.find(ORG, last, need -> need.milliGpus() == 3000)).isNotNull();
        Job first = job(number + 2, 0, 1, 1000);
        assertThat(queue.find(ORG, first, need -> true)).isNull();
        assertThat(queue.lookedAt() - before).isLessThanOrEqualTo(16);
    }

    @Test
    void tenantsWhoseJobsLeftCostNothing() {
        put("org", null);
        var leaving = new ArrayList<Job>();
        for (int team = 0; team < 1000; team++) {
            put(team(team), ORG);
            Job job = job(team + 1, team, 1 + team % 60, 0);
            queue.add(job);
            leaving.add(job);
        }
        leaving.forEach(queue::remove);
        long before = queue.lookedAt();
        assertThat(queue.find(ORG, job(2000, 0, 1, 0), need -> true)).isNull();
        assertThat(queue.lookedAt() - before).isZero();
    }
}
