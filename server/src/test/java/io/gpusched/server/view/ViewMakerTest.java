package io.gpusched.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Random events of a cluster; after every batch the view is compared with one computed from the
/// whole state.
@Timeout(60)
final class ViewMakerTest {
    private static final List<TenantId> TENANTS =
            Stream.of("default", "top", "other", "middle", "a").map(TenantId::new).toList();

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private String policy = "priority";
    private Engine mirror = engine();
    private ViewMaker maker = new ViewMaker(mirror);
    private View view = maker.view(mirror);
    private Instant now = Instant.parse("2025-01-01T00:00:00Z");

    @Test
    void viewsEqualOnesComputedFromTheWholeState() {
        live(400);
        assertThat(view.count(null, PublicState.COMPLETED)).as("seed %d", seed).isPositive();
        View afresh = new ViewMaker(mirror).view(mirror);
        assertThat(afresh.nodes().all()).isEqualTo(view.nodes().all());
        for (PublicState state : PublicState.values()) {
            assertThat(afresh.count(null, state)).isEqualTo(view.count(null, state));
        }
    }

    @Test
    void underAPolicyByTenantEachTenantHasItsOwnQueue() {
        policy = "fair";
        mirror = engine();
        maker = new ViewMaker(mirror);
        view = maker.view(mirror);
        live(200);
        assertThat(view.byTenant()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wfp3", "unicep"})
    void positionsFollowAnOrderThatChangesWithTime(String named) {
        policy = named;
        mirror = engine();
        maker = new ViewMaker(mirror);
        view = maker.view(mirror);
        var cell = new Cell(engine(), new MemoryJournal(), assignment -> {}, this::follow);
        cell.handle(List.of(submit(Duration.ofDays(7)), submit(Duration.ofMinutes(1))), now);
        now = now.plus(Duration.ofHours(1));
        cell.handle(List.of(submit(Duration.ofDays(7))), now);

        List<Job> all = jobs();
        assertThat(QueuePositions.of(all, view))
                .as("the short job has overtaken the long one")
                .containsEntry(new JobId(1), 2L)
                .containsEntry(new JobId(2), 1L);
    }

    /// Some random cycles, with a check after each.
    private void live(int rounds) {
        var cell = new Cell(engine(), new MemoryJournal(), assignment -> {}, this::follow);
        for (TenantId tenant : TENANTS) {
            cell.handle(List.of(new Command.PutTenant(tenant(tenant, null), true, "test")), now);
        }
        cell.handle(List.of(moved("middle", "top"), moved("a", "middle")), now);
        cell.handle(List.of(hello()), now);
        for (int round = 0; round < rounds; round++) {
            now = now.plusSeconds(random.nextInt(20));
            var inputs = new ArrayList<Input>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                inputs.add(something(cell.engine()));
            }
            cell.handle(inputs, now);
            check();
        }
    }

    private void follow(Batch batch, CycleResult cycleResult) {
        maker.before(batch, mirror);
        mirror.apply(batch);
        maker.after(mirror, cycleResult);
        view = maker.view(mirror);
    }

    private void check() {
        List<Job> all = jobs();
        for (TenantId tenant :
                Stream.concat(Stream.of((TenantId) null), TENANTS.stream()).toList()) {
            checkListing(all, JobPage.Filter.of(tenant));
            for (PublicState state : PublicState.values()) {
                EnumSet<PublicState> alone = EnumSet.of(state);
                checkListing(all, new JobPage.Filter(tenant, alone));
                checkListing(all, new JobPage.Filter(tenant, EnumSet.complementOf(alone)));
            }
            checkListing(all, new JobPage.Filter(tenant, Set.of()));
        }
        checkPositions(all);
        for (NodeRow row : view.nodes().all()) {
            NodeRow plain =
                    NodeRow.of(
                            Objects.requireNonNull(mirror.state().nodes().find(row.facts().id())),
                            mirror.state());
            assertThat(row).as("seed %d", seed).isEqualTo(plain);
        }
        for (TenantRow row : view.tenants().all()) {
            TenantId id = row.tenant().id();
            assertThat(row.usage())
                    .as("%s, seed %d", id, seed)
                    .isEqualTo(mirror.state().tenants().usage(id));
            assertThat(row.totals())
                    .as("%s, seed %d", id, seed)
                    .isEqualTo(mirror.state().tenants().totals(id));
            assertThat(row.tenant())
                    .as("%s, seed %d", id, seed)
                    .isEqualTo(mirror.state().tenants().find(id));
        }
    }

    private void checkListing(List<Job> all, JobPage.Filter wanted) {
        List<JobId> expected =
                all.reversed().stream().filter(wanted::matches).map(Job::id).toList();
        JobPage whole = JobPage.of(view, wanted, 1_000_000, 0);
        assertThat(whole.total()).as("seed %d", seed).isEqualTo(expected.size());
        assertThat(whole.page().stream().map(Job::id)).containsExactlyElementsOf(expected);
        JobPage page = JobPage.of(view, wanted, 3, 2);
        assertThat(page.page().stream().map(Job::id))
                .containsExactlyElementsOf(expected.stream().skip(2).limit(3).toList());
    }

    @Test
    void aTenantsJobsAreListedWithoutLookingAtThoseOfOthers() {
        for (int others : new int[] {100, 3000}) {
            mirror = engine();
            var cell = new Cell(mirror, new MemoryJournal(), a -> {}, (batch, cycleResult) -> {});
            cell.takeCharge(1, "test", "test", now);
            var tenant = new TenantId("rare");
            cell.handle(List.of(new Command.PutTenant(tenant(tenant, null), true, "test")), now);
            var inputs = new ArrayList<Input>();
            for (int job = 0; job < others; job++) {
                inputs.add(submit(Tenant.DEFAULT));
                if (job % (others / 10) == 0) {
                    inputs.add(submit(tenant));
                }
            }
            cell.handle(inputs, now);
            View all = new ViewMaker(mirror).view(mirror);
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
        List<Job> line =
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
                    line.stream()
                            .filter(each -> !view.byTenant() || each.tenant().equals(job.tenant()))
                            .toList()
                            .indexOf(job);
            assertThat(positions.get(job.id()))
                    .as("seed %d", seed)
                    .isEqualTo(place < 0 ? null : place + 1L);
        }
    }

    private List<Job> jobs() {
        var all = new ArrayList<Job>();
        for (long n = mirror.state().jobs().first(); n <= mirror.state().jobs().last(); n++) {
            Job job = mirror.state().jobs().job(n);
            if (job != null) {
                all.add(job);
            }
        }
        return all;
    }

    private Input something(Engine engine) {
        long last = engine.state().jobs().last();
        JobId any = new JobId(1 + (last == 0 ? 0 : random.nextLong(last)));
        Job job = engine.state().job(any);
        return switch (random.nextInt(9)) {
            case 0 -> new Command.Cancel(any, "test");
            case 1 -> new Command.Hold(any, "test");
            case 2 -> new Command.Release(any, "test");
            case 3 -> new Command.Cordon(new NodeId("n" + random.nextInt(3)), "test");
            case 4 -> new Command.Uncordon(new NodeId("n" + random.nextInt(3)), "test");
            case 5, 6 -> job == null || job.phase().run() == null ? submit() : progress(job);
            case 7 -> moved("middle", random.nextBoolean() ? "top" : "other");
            default -> submit();
        };
    }

    private static Input moved(String tenant, String under) {
        return new Command.PutTenant(
                tenant(new TenantId(tenant), new TenantId(under)), false, "test");
    }

    private Input progress(Job job) {
        var run = Objects.requireNonNull(job.phase().run());
        return random.nextBoolean()
                ? new Report.TaskRunning(run.id(), 0)
                : new Report.TaskEnded(
                        run.id(), 0, new Exit(Exit.How.EXITED, random.nextInt(2), ""));
    }

    private Input submit() {
        return submit(TENANTS.get(random.nextInt(TENANTS.size())));
    }

    private static Input submit(Duration limit) {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 100));
        var spec =
                JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                        .name("job")
                        .limit(limit)
                        .build();
        return new Command.Submit(spec, "", 0, false, "test");
    }

    private Input submit(TenantId tenant) {
        var shape = Shape.of(GpuRequest.whole(1 + random.nextInt(4), 0), Resources.cores(1, 100));
        var spec =
                JobSpec.builder(tenant, List.of(Role.of(shape, 1)))
                        .name("job")
                        .priority(random.nextInt(5) * 100)
                        .limit(Duration.ofMinutes(5))
                        .build();
        return new Command.Submit(spec, "", 0, random.nextInt(5) == 0, "test");
    }

    private static Input hello() {
        var agent = new AgentId("agent");
        var gpus =
                IntStream.range(0, 4)
                        .mapToObj(i -> new Gpu(i, GpuModel.parse("A100-40GB"), 40_960, ""))
                        .toList();
        var nodes =
                IntStream.range(0, 3)
                        .mapToObj(
                                i ->
                                        new Node(
                                                new NodeId("n" + i),
                                                agent,
                                                "127.0.0.1",
                                                gpus,
                                                Topology.FLAT,
                                                Resources.cores(16, 64_000),
                                                List.of(),
                                                Labels.NONE))
                        .toList();
        return new Report.Hello(new Agent(agent, Agent.Custody.SELF_FENCING, 0), nodes, List.of());
    }

    private static Tenant tenant(TenantId id, @Nullable TenantId parent) {
        return new Tenant(
                id,
                parent,
                Limits.ZERO,
                Limits.NONE,
                1,
                new PreemptionRules(true, true, 0),
                true,
                Labels.NONE);
    }

    private Engine engine() {
        var settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named(policy, settings.policy())), settings);
    }
}
