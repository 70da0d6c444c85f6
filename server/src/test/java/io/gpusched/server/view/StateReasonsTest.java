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
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Claim;
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
import io.gpusched.core.policy.RefusalCount;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// A random life of a cluster; after every batch, what is told of each waiting job is compared with
/// the ledger and with what `explain` finds.
@Timeout(120)
final class StateReasonsTest {
    private static final TenantId STRICT = new TenantId("strict");
    private static final TenantId YIELDING = new TenantId("yielding");
    private static final String RESERVED = "a place is reserved for it";

    private long seed = Long.getLong("seed", System.nanoTime());
    private Random random = new Random(seed);
    private Instant now = Instant.parse("2025-01-01T00:00:00Z");
    private Engine mirror = engine("priority");
    private ViewMaker maker = new ViewMaker(mirror);
    private View view = maker.view(mirror);
    private int reservations;
    private int rooms;
    private int gated;

    @ParameterizedTest
    @ValueSource(strings = {"priority", "fair", "fifo", "priority-conservative"})
    void whatIsToldIsWhatTheLedgerSays(String policy) {
        live(policy, 150);
    }

    /// With a fixed seed, so that it is certain what the checks have met.
    @Test
    void reservationsPreemptionsAndQuotaAreMet() {
        seed = 1;
        random = new Random(seed);
        live("priority", 150);
        assertThat(gated).as("turns that quota refused").isPositive();
        assertThat(reservations).as("reservations").isPositive();
        assertThat(rooms).as("preemptions").isPositive();
    }

    @Test
    void aReservationBehindAnOverdueJobSaysSoWithoutAnyEvent() {
        var cell =
                new Cell(engine("priority"), new MemoryJournal(), assignment -> {}, this::follow);
        cell.handle(List.of(tenant(STRICT, false, 100, true), hello()), now);
        cell.handle(List.of(unlimited(), unlimited(), unlimited()), now);
        cell.handle(
                LongStream.rangeClosed(1, 3)
                        .mapToObj(n -> Objects.requireNonNull(mirror.state().jobs().job(n)))
                        .map(job -> Objects.requireNonNull(job.phase().run()))
                        .<Input>map(run -> new Report.TaskRunning(run.id(), 0))
                        .toList(),
                now);
        cell.handle(List.of(unlimited()), now);
        Job waiting = Objects.requireNonNull(mirror.state().jobs().job(4));

        assertThat(reasons(id -> null).of(waiting)).contains("if jobs without a time limit end");
        now = now.plus(view.assumedRuntime());
        assertThat(reasons(id -> null).of(waiting))
                .contains("as soon as a job that runs longer than expected has ended");
    }

    private static Input unlimited() {
        var shape = Shape.of(GpuRequest.whole(4, 0), Resources.cores(1, 100));
        var spec = JobSpec.builder(STRICT, List.of(Role.of(shape, 1))).build();
        return new Command.Submit(spec, "", 0, false, "test");
    }

    private void live(String policy, int rounds) {
        mirror = engine(policy);
        maker = new ViewMaker(mirror);
        view = maker.view(mirror);
        var cell = new Cell(engine(policy), new MemoryJournal(), assignment -> {}, this::follow);
        Input strict = tenant(STRICT, false, 8, true);
        cell.handle(List.of(strict, tenant(YIELDING, true, 1000, true), hello()), now);
        for (int round = 0; round < rounds; round++) {
            now = now.plusSeconds(random.nextInt(400));
            var inputs = new ArrayList<Input>();
            for (int i = random.nextInt(3); i >= 0; i--) {
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
        assertThat(view.kept()).as("seed %d", seed).isEqualTo(KeptCapacity.all(mirror.state()));
        for (long n = mirror.state().jobs().first(); n <= mirror.state().jobs().last(); n++) {
            Job job = mirror.state().jobs().job(n);
            if (job != null && job.waiting()) {
                check(job);
                checkEstimate(job);
            }
        }
    }

    private void check(Job job) {
        String reason = reasons(id -> null).of(job);
        Claim claim = claim(job.id());
        Explanation why = new Explainer(mirror, now).explain(job.id());
        String told = "%s: %s; %s; seed %d".formatted(job.id(), reason, why, seed);
        boolean postponed = postponed(job).isAfter(now);
        Instant from =
                claim != null && claim.kind() == Claim.Kind.RESERVATION ? claim.from() : null;
        boolean reserved = from != null;
        boolean room = claim != null && claim.kind() == Claim.Kind.ROOM;

        assertThat(reason.contains(RESERVED)).as(told).isEqualTo(reserved && !postponed);
        assertThat(reason.startsWith("waiting for ")).as(told).isEqualTo(room && !postponed);
        assertThat(why.reserved()).as(told).isEqualTo(from);
        assertThat(reason.startsWith("not tried before ")).as(told).isEqualTo(postponed);
        if (postponed) {
            assertThat(why.summary()).as(told).isEqualTo(reason);
        }
        if (reason.startsWith("no free place")) {
            assertThat(why.place() == null || !why.victims().isEmpty()).as(told).isTrue();
        }
        for (RefusalCount each : maker.latestTurns().refusals(job)) {
            boolean led = !room && !postponed;
            assertThat(led && !isTold(each, reason, why)).as(told).isFalse();
            gated += each.refusal().by().equals("quota") ? 1 : 0;
        }
        reservations += reserved ? 1 : 0;
        rooms += room ? 1 : 0;
    }

    /// Whether what refused the job at its last turn is what `explain` finds now, in the same
    /// words.
    private static boolean isTold(RefusalCount refused, String reason, Explanation why) {
        return switch (refused.refusal().by()) {
            case "capacity" ->
                    why.reasons().stream().anyMatch(one -> one.nodes() > 0)
                            || !why.victims().isEmpty();
            case "quota" ->
                    reason.contains("when this one was last tried")
                            ? !why.summary().contains("quota exceeded")
                            : why.summary().startsWith(reason.split("; ", 2)[0]);
            default -> why.summary().contains(refused.refusal().why()) || found(refused, why);
        };
    }

    private static boolean found(RefusalCount refused, Explanation why) {
        return why.reasons().stream().anyMatch(one -> refused.refusal().why().contains(one.why()));
    }

    /// An estimate as the forecast of some minutes ago left it: it may be over, or may not know
    /// that the job is not tried for a while.
    private void checkEstimate(Job job) {
        Instant early = now.plusSeconds(random.nextInt(1200) - 600);
        var published = new StartEstimate(early, early.plusSeconds(60), early.plusSeconds(600));
        StateReasons reasons = reasons(id -> published);
        StartEstimate estimate = reasons.starts().of(job);
        String told = job.id() + ": " + estimate + "; seed " + seed;

        if (estimate != null) {
            assertThat(estimate.early()).as(told).isAfterOrEqualTo(now);
            assertThat(estimate.early()).as(told).isAfterOrEqualTo(postponed(job));
            assertThat(estimate.middle()).as(told).isAfterOrEqualTo(estimate.early());
            assertThat(reasons.of(job))
                    .as("one time is told, and not two; seed %d", seed)
                    .doesNotContain("at the latest");
        }
        assertThat(reasons.starts().isDue(job) && postponed(job).isAfter(now)).as(told).isFalse();
    }

    private StateReasons reasons(StartTimes startTimes) {
        return StateReasons.at(view, maker.latestTurns(), startTimes, now);
    }

    private static Instant postponed(Job job) {
        return job.phase() instanceof Phase.Waiting waiting && waiting.notBefore() != null
                ? waiting.notBefore()
                : Instant.MIN;
    }

    private @Nullable Claim claim(JobId job) {
        return mirror.state().claims().stream()
                .filter(claim -> claim.isFor(job))
                .findFirst()
                .orElse(null);
    }

    private Input something(Engine engine) {
        long last = engine.state().jobs().last();
        JobId any = new JobId(1 + (last == 0 ? 0 : random.nextLong(last)));
        var node = new NodeId("n" + random.nextInt(3));
        return switch (random.nextInt(14)) {
            case 0 -> new Command.Cancel(any, "test");
            case 1 -> new Command.Hold(any, "test");
            case 2 -> new Command.Release(any, "test");
            case 3 -> new Command.Cordon(node, "test");
            case 4, 5 -> new Command.Uncordon(node, "test");
            case 6 -> new Command.Reprioritise(any, random.nextInt(5) * 100, "test");
            case 7 -> tenant(STRICT, false, 4 + random.nextInt(8), false);
            case 8, 9, 10 -> progress(engine);
            default -> submit();
        };
    }

    private Input progress(Engine engine) {
        var running = new ArrayList<Job>();
        engine.state().runs().byExpectedEnd().forEach(running::add);
        if (running.isEmpty()) {
            return submit();
        }
        Job job = running.get(random.nextInt(running.size()));
        var run = Objects.requireNonNull(job.phase().run());
        return switch (random.nextInt(4)) {
            case 0 -> new Report.TaskRunning(run.id(), 0);
            case 1 -> new Report.StartRefused(run.id(), 0, "no disk", Duration.ofMinutes(5));
            default ->
                    new Report.TaskEnded(
                            run.id(), 0, new Exit(Exit.How.EXITED, random.nextInt(2), ""));
        };
    }

    private Input submit() {
        var shape = Shape.of(GpuRequest.whole(1 + random.nextInt(5), 0), Resources.cores(1, 100));
        TenantId tenant = random.nextBoolean() ? STRICT : YIELDING;
        var spec =
                JobSpec.builder(tenant, List.of(Role.of(shape, 1)))
                        .priority(random.nextInt(5) * 100)
                        .limit(random.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(30))
                        .build();
        return new Command.Submit(spec, "", 0, random.nextInt(10) == 0, "test");
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

    private static Input tenant(TenantId id, boolean preemptible, int gpus, boolean create) {
        var limits =
                new Limits(
                        gpus * 1000L,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED,
                        Limits.UNLIMITED);
        return new Command.PutTenant(
                new Tenant(
                        id,
                        null,
                        Limits.ZERO,
                        limits,
                        1,
                        new PreemptionRules(preemptible, true, 0),
                        true,
                        Labels.NONE),
                create,
                "test");
    }

    private static Engine engine(String policy) {
        var settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named(policy, settings.policy())), settings);
    }
}
