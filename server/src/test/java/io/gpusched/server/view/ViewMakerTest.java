package io.gpusched.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.ClusterState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/// Random events of a cluster; after every batch the view is compared with one computed from the
/// whole state.
@Timeout(60)
final class ViewMakerTest {
    private static final List<TenantId> TENANTS =
            Stream.of("default", "top", "other", "middle", "a").map(TenantId::new).toList();

    private final Instant start = Instant.parse("2025-01-01T00:00:00Z");
    private long seed = Long.getLong("seed", System.nanoTime());
    private Random random = new Random(seed);
    private FollowedCell cell = new FollowedCell("priority");
    private final Set<PublicState> met = EnumSet.noneOf(PublicState.class);

    @Test
    void viewsEqualOnesComputedFromTheWholeState() {
        live("priority", 400);
        View view = cell.view();
        View afresh = new ViewMaker(cell.follower()).view(cell.follower());
        assertThat(afresh.nodes().all()).isEqualTo(view.nodes().all());
        for (PublicState state : PublicState.values()) {
            assertThat(afresh.count(null, state)).isEqualTo(view.count(null, state));
        }
    }

    /// With a fixed seed, so that it is certain which states the checks have met.
    @Test
    void jobsOfEveryStateAreMet() {
        seed = 1;
        random = new Random(seed);
        live("priority", 400);
        assertThat(met).containsExactlyInAnyOrder(PublicState.values());
    }

    @Test
    void underAPolicyByTenantEachTenantHasItsOwnQueue() {
        live("fair", 200);
        assertThat(cell.view().byTenant()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wfp3", "unicep"})
    void positionsFollowAnOrderThatChangesWithTime(String policy) {
        cell = new FollowedCell(policy);
        cell.handle(List.of(limited(Duration.ofDays(7)), limited(Duration.ofMinutes(1))), start);
        cell.handle(List.of(limited(Duration.ofDays(7))), start.plus(Duration.ofHours(1)));

        assertThat(QueuePositions.of(cell.jobs(), cell.view()))
                .as("the short job has overtaken the long one")
                .containsEntry(new JobId(1), 2L)
                .containsEntry(new JobId(2), 1L);
    }

    /// Some random cycles, with a check after each.
    private void live(String policy, int cycles) {
        cell = new FollowedCell(policy);
        for (TenantId tenant : TENANTS) {
            cell.handle(List.of(tenant(tenant)), start);
        }
        cell.handle(List.of(moved("middle", "top"), moved("a", "middle")), start);
        cell.handle(List.of(FollowedCell.hello()), start);
        Instant now = start;
        for (int cycle = 0; cycle < cycles; cycle++) {
            now = now.plusSeconds(random.nextInt(20));
            var inputs = new ArrayList<Input>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                inputs.add(something());
            }
            cell.handle(inputs, now);
            check();
        }
    }

    private void check() {
        View view = cell.view();
        ClusterState state = cell.follower().state();
        List<Job> all = cell.jobs();
        for (TenantId tenant :
                Stream.concat(Stream.of((TenantId) null), TENANTS.stream()).toList()) {
            checkListing(all, JobPage.Filter.of(tenant));
            for (PublicState each : PublicState.values()) {
                EnumSet<PublicState> alone = EnumSet.of(each);
                checkListing(all, new JobPage.Filter(tenant, alone));
                checkListing(all, new JobPage.Filter(tenant, EnumSet.complementOf(alone)));
            }
            checkListing(all, new JobPage.Filter(tenant, Set.of()));
        }
        all.forEach(job -> met.add(PublicState.of(job)));
        checkPositions(all);
        for (NodeRow row : view.nodes().all()) {
            NodeRow plain =
                    NodeRow.of(Objects.requireNonNull(state.nodes().find(row.facts().id())), state);
            assertThat(row).as("seed %d", seed).isEqualTo(plain);
        }
        for (TenantRow row : view.tenants().all()) {
            TenantId id = row.tenant().id();
            assertThat(row.usage())
                    .as("%s, seed %d", id, seed)
                    .isEqualTo(state.tenants().usage(id));
            assertThat(row.totals())
                    .as("%s, seed %d", id, seed)
                    .isEqualTo(state.tenants().totals(id));
            assertThat(row.tenant())
                    .as("%s, seed %d", id, seed)
                    .isEqualTo(state.tenants().find(id));
        }
    }

    private void checkListing(List<Job> all, JobPage.Filter wanted) {
        List<JobId> expected =
                all.reversed().stream().filter(wanted::matches).map(Job::id).toList();
        JobPage whole = JobPage.of(cell.view(), wanted, 1_000_000, 0);
        assertThat(whole.total()).as("seed %d", seed).isEqualTo(expected.size());
        assertThat(whole.page().stream().map(Job::id)).containsExactlyElementsOf(expected);
        JobPage page = JobPage.of(cell.view(), wanted, 3, 2);
        assertThat(page.page().stream().map(Job::id))
                .containsExactlyElementsOf(expected.stream().skip(2).limit(3).toList());
    }

    @Test
    void aTenantsJobsAreListedWithoutLookingAtThoseOfOthers() {
        for (int others : new int[] {100, 3000}) {
            cell = new FollowedCell("priority");
            var tenant = new TenantId("rare");
            cell.handle(List.of(tenant(tenant)), start);
            var inputs = new ArrayList<Input>();
            for (int job = 0; job < others; job++) {
                inputs.add(submit(Tenant.DEFAULT));
                if (job % (others / 10) == 0) {
                    inputs.add(submit(tenant));
                }
            }
            cell.handle(inputs, start);
            View all = cell.view();
            JobPage page = JobPage.of(all, JobPage.Filter.of(tenant), 1000, 0);
            assertThat(page.page()).hasSize(10);
            assertThat(page.lookedAt()).isEqualTo(10);
            JobPage none =
                    JobPage.of(
                            all, new JobPage.Filter(tenant, Set.of(PublicState.RUNNING)), 1000, 0);
            assertThat(none.lookedAt()).isZero();
        }
    }

    private void checkPositions(List<Job> all) {
        View view = cell.view();
        List<Job> queue =
                all.stream()
                        .filter(job -> job.phase() instanceof Phase.Waiting)
                        .sorted(
                                Comparator.comparingLong((Job job) -> view.order().applyAsLong(job))
                                        .thenComparing(Job::id))
                        .toList();
        var some = new ArrayList<>(all);
        some.removeIf(job -> random.nextBoolean());
        var positions = QueuePositions.of(some, view);
        for (Job job : some) {
            int place =
                    queue.stream()
                            .filter(each -> !view.byTenant() || each.tenant().equals(job.tenant()))
                            .toList()
                            .indexOf(job);
            assertThat(positions.get(job.id()))
                    .as("seed %d", seed)
                    .isEqualTo(place < 0 ? null : place + 1L);
        }
    }

    private Input something() {
        long last = cell.engine().state().jobs().last();
        JobId any = new JobId(1 + (last == 0 ? 0 : random.nextLong(last)));
        return switch (random.nextInt(9)) {
            case 0 -> new Command.Cancel(any, "test");
            case 1 -> new Command.Hold(any, "test");
            case 2 -> new Command.Release(any, "test");
            case 3 -> new Command.Cordon(new NodeId("n" + random.nextInt(3)), "test");
            case 4 -> new Command.Uncordon(new NodeId("n" + random.nextInt(3)), "test");
            case 5, 6 -> progress();
            case 7 -> moved("middle", random.nextBoolean() ? "top" : "other");
            default -> submit();
        };
    }

    private Input progress() {
        Run run = cell.anyRun(random);
        if (run == null) {
            return submit();
        }
        return random.nextBoolean()
                ? FollowedCell.running(run)
                : FollowedCell.ended(run, random.nextInt(2));
    }

    private static Input moved(String tenant, String under) {
        var above = new TenantId(under);
        return FollowedCell.put(new TenantId(tenant), above, Limits.NONE, true, false);
    }

    private static Input tenant(TenantId id) {
        return FollowedCell.put(id, null, Limits.NONE, true, true);
    }

    private Input submit() {
        return submit(TENANTS.get(random.nextInt(TENANTS.size())));
    }

    private static Input limited(Duration limit) {
        return FollowedCell.submit(FollowedCell.job(Tenant.DEFAULT, 1).limit(limit), false);
    }

    private Input submit(TenantId tenant) {
        var job =
                FollowedCell.job(tenant, 1 + random.nextInt(4))
                        .priority(random.nextInt(5) * 100)
                        .limit(Duration.ofMinutes(5));
        return FollowedCell.submit(job, random.nextInt(5) == 0);
    }
}
