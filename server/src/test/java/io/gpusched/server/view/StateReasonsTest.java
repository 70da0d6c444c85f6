package io.gpusched.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.explain.Explanation;
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.TenantId;
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

/// Random events of a cluster; after every cycle the published reason of each waiting job is
/// compared with the ledger and with the answer of `explain`.
@Timeout(120)
final class StateReasonsTest {
    private static final TenantId STRICT = new TenantId("strict");
    private static final TenantId YIELDING = new TenantId("yielding");
    private static final String RESERVED = "a place is reserved for it";

    private long seed = Long.getLong("seed", System.nanoTime());
    private Random random = new Random(seed);
    private Instant now = Instant.parse("2025-01-01T00:00:00Z");
    private FollowedCell cell = new FollowedCell("priority");
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
        cell.handle(List.of(tenant(STRICT, false, 100, true), FollowedCell.hello()), now);
        cell.handle(List.of(unlimited(), unlimited(), unlimited()), now);
        cell.handle(
                cell.jobs().stream()
                        .map(job -> Objects.requireNonNull(job.phase().run()))
                        .map(FollowedCell::running)
                        .toList(),
                now);
        cell.handle(List.of(unlimited()), now);
        Job waiting = cell.jobs().getLast();

        assertThat(reasons(id -> null).of(waiting)).contains("if jobs without a time limit end");
        now = now.plus(cell.view().assumedRuntime());
        assertThat(reasons(id -> null).of(waiting))
                .contains("as soon as a job that runs longer than expected has ended");
    }

    private static Input unlimited() {
        return FollowedCell.submit(FollowedCell.job(STRICT, 4), false);
    }

    private void live(String policy, int cycles) {
        cell = new FollowedCell(policy);
        Input strict = tenant(STRICT, false, 8, true);
        cell.handle(List.of(strict, tenant(YIELDING, true, 1000, true), FollowedCell.hello()), now);
        for (int cycle = 0; cycle < cycles; cycle++) {
            now = now.plusSeconds(random.nextInt(400));
            var inputs = new ArrayList<Input>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                inputs.add(something());
            }
            cell.handle(inputs, now);
            check();
        }
    }

    private void check() {
        assertThat(cell.view().kept())
                .as("seed %d", seed)
                .isEqualTo(KeptCapacity.all(cell.follower().state()));
        for (Job job : cell.jobs()) {
            if (job.waiting()) {
                check(job);
                checkEstimate(job);
            }
        }
    }

    private void check(Job job) {
        String reason = reasons(id -> null).of(job);
        Claim claim = claim(job.id());
        Explanation why = new Explainer(cell.follower(), now).explain(job.id());
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
        for (RefusalCount each : cell.latestTurns().refusals(job)) {
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
        return StateReasons.at(cell.view(), cell.latestTurns(), startTimes, now);
    }

    private static Instant postponed(Job job) {
        return job.phase() instanceof Phase.Waiting waiting && waiting.notBefore() != null
                ? waiting.notBefore()
                : Instant.MIN;
    }

    private @Nullable Claim claim(JobId job) {
        return cell.follower().state().claims().stream()
                .filter(claim -> claim.isFor(job))
                .findFirst()
                .orElse(null);
    }

    private Input something() {
        long last = cell.engine().state().jobs().last();
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
            case 8, 9, 10 -> progress();
            default -> submit();
        };
    }

    private Input progress() {
        Run run = cell.anyRun(random);
        if (run == null) {
            return submit();
        }
        return switch (random.nextInt(4)) {
            case 0 -> FollowedCell.running(run);
            case 1 -> new Report.StartRefused(run.id(), 0, "no disk", Duration.ofMinutes(5));
            default -> FollowedCell.ended(run, random.nextInt(2));
        };
    }

    private Input submit() {
        int gpus = 1 + random.nextInt(5);
        var job =
                FollowedCell.job(random.nextBoolean() ? STRICT : YIELDING, gpus)
                        .priority(random.nextInt(5) * 100)
                        .limit(random.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(30));
        return FollowedCell.submit(job, random.nextInt(10) == 0);
    }

    private static Input tenant(TenantId id, boolean preemptible, int gpus, boolean create) {
        long none = Limits.UNLIMITED;
        var limits = new Limits(gpus * 1000L, none, none, none, none);
        return FollowedCell.put(id, null, limits, preemptible, create);
    }
}
