package io.gpusched.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// The order of the queue as pages of it show it.
@Timeout(120)
final class QueueIndexTest {
    private static final Instant NOW = Instant.parse("2025-01-01T00:00:00Z");
    private static final TenantId OTHER = new TenantId("other");
    private static final Set<PublicState> QUEUED =
            EnumSet.of(PublicState.PENDING, PublicState.PREEMPTED);

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(strings = {"priority", "fifo", "fair", "wfp3"})
    void pagesFollowThePositionsAndHeldJobsAreLast(String policy) {
        FollowedCell cell = queue(policy, 300);
        View view = cell.view();
        QueueIndex index = new QueueIndex.Latest().of(view);
        var positions = QueuePositions.of(cell.jobs(), view);
        for (TenantId tenant : new TenantId[] {null, Tenant.DEFAULT, OTHER}) {
            var wanted = new JobPage.Filter(tenant, QUEUED);
            List<JobId> expected =
                    cell.jobs().stream()
                            .filter(wanted::matches)
                            .sorted(
                                    Comparator.comparingLong(
                                                    (Job job) ->
                                                            positions.getOrDefault(
                                                                    job.id(), Long.MAX_VALUE))
                                            .thenComparing(Job::id))
                            .map(Job::id)
                            .toList();
            var listed = new ArrayList<JobId>();
            for (int offset = 0; offset < expected.size(); offset += 37) {
                JobPage page = JobPage.inQueueOrder(index, wanted, 37, offset);
                assertThat(page.total()).as("seed %d", seed).isEqualTo(expected.size());
                page.page().forEach(job -> listed.add(job.id()));
            }
            assertThat(listed).as("%s, seed %d", tenant, seed).isEqualTo(expected);
        }
    }

    @Test
    void aQueueOf100000JobsIsSortedOnceForAllPagesOfAView() {
        int jobs = 100_000;
        var keys = new AtomicLong();
        View view = counting(queue("priority", jobs).view(), keys);
        var latest = new QueueIndex.Latest();
        var wanted = new JobPage.Filter(null, QUEUED);
        for (int offset = 0; offset < jobs; offset += jobs / 10) {
            JobPage page = JobPage.inQueueOrder(latest.of(view), wanted, 100, offset);
            assertThat(page.page()).hasSize(100);
            assertThat(page.lookedAt()).as("jobs read for the page").isEqualTo(100);
        }
        assertThat(keys.get()).as("sort keys computed").isLessThanOrEqualTo(jobs);
    }

    @Test
    void aNewViewHasANewIndex() {
        FollowedCell cell = queue("priority", 3);
        var latest = new QueueIndex.Latest();
        QueueIndex before = latest.of(cell.view());
        assertThat(latest.of(cell.view())).isSameAs(before);
        cell.handle(List.of(submit(Tenant.DEFAULT)), NOW);
        assertThat(latest.of(cell.view()).size()).isEqualTo(before.size() + 1);
    }

    /// A cluster without nodes, so that all jobs wait.
    private FollowedCell queue(String policy, int jobs) {
        var cell = new FollowedCell(policy);
        cell.handle(List.of(FollowedCell.put(OTHER, null, Limits.NONE, true, true)), NOW);
        var inputs = new ArrayList<Input>();
        for (int job = 0; job < jobs; job++) {
            inputs.add(submit(random.nextBoolean() ? OTHER : Tenant.DEFAULT));
        }
        cell.handle(inputs, NOW);
        cell.handle(
                List.of(new Command.Hold(new JobId(2), "test"), new Command.Hold(new JobId(3), "")),
                NOW.plusSeconds(60));
        return cell;
    }

    private Input submit(TenantId tenant) {
        return FollowedCell.submit(
                FollowedCell.job(tenant, 1).priority(random.nextInt(5) * 100), false);
    }

    private static View counting(View view, AtomicLong keys) {
        return new View(
                view.batch(),
                view.at(),
                view.jobs(),
                view.nodes(),
                view.tenants(),
                view.stateCounts(),
                view.waitingJobs(),
                view.largestNode(),
                view.idle(),
                view.kept(),
                view.assumedRuntime(),
                job -> {
                    keys.incrementAndGet();
                    return view.order().applyAsLong(job);
                },
                view.model(),
                view.byTenant(),
                view.pools(),
                view.deadlines());
    }
}
