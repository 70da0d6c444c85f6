package io.gpusched.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LoadNow;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.server.view.PoolRow;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What each condition about pools finds in pictures of a small cluster.
final class PoolAlertConditionTest {
    private static final PoolId CHAT = new PoolId("chat");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Slo FIRST_TOKEN_IN_A_SECOND = new Slo(1_000, 0, 0, 990);

    private final AlertCluster cluster = new AlertCluster().tenant("a");
    private long sequence;

    private static Finding only(List<Finding> findings) {
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    /// A pool that keeps `min` replicas with one GPU each.
    private void put(int min, ScalingRules scaling, Slo slo, CostRules cost) {
        cluster.handle(new Command.PutPool(pool(min, 1, scaling, slo, cost), "test"));
    }

    private static Pool pool(int min, int cores, ScalingRules scaling, Slo slo, CostRules cost) {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(cores, 100));
        var replica =
                JobSpec.builder(new TenantId("a"), List.of(Role.of(shape, 1)))
                        .build()
                        .withLimit(Duration.ZERO);
        return new Pool(
                CHAT,
                "",
                replica,
                min,
                8,
                0,
                slo,
                scaling,
                cost,
                CarbonRules.NONE,
                LocalityRules.NONE,
                withPort());
    }

    /// With a port a replica is ready only when a source says so.
    private static ServingRules withPort() {
        ServingRules usual = ServingRules.NONE;
        return new ServingRules(
                9_000,
                usual.healthPath(),
                usual.metricsPath(),
                usual.drain(),
                usual.affinityHeader(),
                usual.affinityFor(),
                usual.loadTime());
    }

    private void putStatic(int min) {
        put(min, ScalingRules.of("static"), Slo.NONE, CostRules.NONE);
    }

    /// Every replica runs.
    private void start() {
        cluster.replicas(CHAT).forEach(cluster::start);
    }

    /// A gateway says that these replicas are ready.
    private void report(List<JobId> ready, int answered, int within) {
        var replicas = new ArrayList<ReplicaLoad>();
        ready.forEach(job -> replicas.add(new ReplicaLoad(job, true, 0, 0, 0, 0, 0, 0, 0, 0)));
        var load =
                new PoolLoad(
                        "gw-1",
                        ++sequence,
                        SECOND,
                        answered,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        answered,
                        within,
                        0,
                        replicas);
        cluster.handle(new Report.PoolLoad(CHAT, load));
    }

    private List<Finding> found(AlertCondition condition) {
        return condition.evaluate(cluster.picture());
    }

    @Test
    void replicasThatWaitForGpusAreFound() {
        cluster.join("n1", 1);
        putStatic(2);
        cluster.start(cluster.replicas(CHAT).getFirst());
        cluster.after(Duration.ofMinutes(3));

        Finding nobodyServes = only(found(new PoolWaiting()));
        assertThat(nobodyServes.subject().key()).isEqualTo("pool chat");
        assertThat(nobodyServes.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(nobodyServes.value()).isEqualTo(180);
        assertThat(nobodyServes.message())
                .isEqualTo("1 replica of pool chat has waited for GPUs for 3 min; 0 are ready");
        assertThat(nobodyServes.remedy()).contains("gpu-cli pool explain chat");

        report(cluster.replicas(CHAT).subList(0, 1), 0, 0);
        assertThat(only(found(new PoolWaiting())).severity()).isEqualTo(Severity.WARNING);
        cluster.join("n2", 1);
        assertThat(found(new PoolWaiting())).isEmpty();
    }

    @Test
    void aPoolWhoseReplicasWereWithdrawnIsStillFound() {
        cluster.join("n1", 1);
        var allDay = new ScheduledSize("all day", 0b1111111, 0, 1_440, 2);
        put(1, scheduled(ScalingRules.of("static"), allDay), Slo.NONE, CostRules.NONE);
        cluster.after(Duration.ofSeconds(10)).handle();
        List<JobId> replicas = cluster.replicas(CHAT);
        assertThat(replicas).hasSize(2);
        cluster.start(replicas.getFirst());
        report(replicas.subList(0, 1), 0, 0);
        cluster.after(Duration.ofMinutes(3)).handle();
        assertThat(cluster.replicas(CHAT)).hasSize(1);

        Finding found = only(found(new PoolWaiting()));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.message())
                .isEqualTo("pool chat cannot grow: 1 replica found no capacity for 120 s");
    }

    private static ScalingRules scheduled(ScalingRules usual, ScheduledSize size) {
        return new ScalingRules(
                usual.law(),
                usual.targets(),
                usual.replicaTokensPerSecond(),
                usual.queue(),
                List.of(size),
                usual.up(),
                usual.down(),
                usual.cooldown(),
                usual.every(),
                usual.staleAfter());
    }

    @Test
    void aServingPoolWithoutReportsIsStale() {
        cluster.join("n1", 2);
        put(1, ScalingRules.of("slo"), FIRST_TOKEN_IN_A_SECOND, CostRules.NONE);
        start();
        assertThat(found(new PoolLoadStale())).as("nothing serves yet").isEmpty();
        report(cluster.replicas(CHAT), 1, 1);
        cluster.after(Duration.ofSeconds(30)).handle();
        assertThat(found(new PoolLoadStale())).isEmpty();
        cluster.after(Duration.ofSeconds(30)).handle();

        Finding found = only(found(new PoolLoadStale()));

        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.value()).isEqualTo(60);
        assertThat(found.threshold()).isEqualTo(30);
        assertThat(found.message())
                .isEqualTo("no load of pool chat was reported for 1 min; it keeps 1 replica");
        report(cluster.replicas(CHAT), 1, 1);
        assertThat(found(new PoolLoadStale())).isEmpty();
    }

    @Test
    void oldFiguresAreNotShownAlsoForAPoolOfFixedSize() {
        cluster.join("n1", 1);
        put(1, ScalingRules.of("static"), FIRST_TOKEN_IN_A_SECOND, CostRules.NONE);
        start();
        report(cluster.replicas(CHAT), 10, 1);
        cluster.after(Duration.ofSeconds(10)).handle();
        assertThat(only(found(new PoolSloAtRisk())).level()).isEqualTo(Finding.Level.EXCEEDED);
        AlertPicture picture = cluster.after(Duration.ofSeconds(40)).picture();
        PoolRow row = Objects.requireNonNull(picture.view().pools().rows().row(CHAT));
        assertThat(row.figuresAt(picture.at()).sloPercent()).isNaN();
        assertThat(row.figuresAt(picture.at()).tokensPerSecond()).isNaN();
        assertThat(row.figuresAt(picture.at()).now()).isEqualTo(LoadNow.NONE);
        assertThat(found(new PoolSloAtRisk())).isEmpty();
    }

    @Test
    void aPoolOfFixedSizeNeedsNoReports() {
        cluster.join("n1", 1);
        putStatic(1);
        start();
        report(cluster.replicas(CHAT), 1, 1);
        cluster.after(Duration.ofHours(1)).handle();
        assertThat(found(new PoolLoadStale())).isEmpty();
    }

    @Test
    void oneReplicaMayFailButNotOneAfterTheOther() {
        cluster.join("n1", 2);
        putStatic(2);
        List<JobId> replicas = cluster.replicas(CHAT);
        cluster.exit(replicas.getFirst(), 1);
        assertThat(found(new PoolCrashLoop())).isEmpty();
        cluster.exit(replicas.getLast(), 1);

        Finding found = only(found(new PoolCrashLoop()));

        assertThat(found.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(found.value()).isEqualTo(2);
        assertThat(found.message())
                .startsWith("2 replicas of pool chat ended by themselves in a row, the last one: ");
        assertThat(found.remedy()).contains("gpu-cli logs");
    }

    @Test
    void anUpdateThatHasStoppedIsNamed() {
        cluster.join("n1", 4);
        putStatic(2);
        List<JobId> before = cluster.replicas(CHAT);
        start();
        report(before, 1, 1);
        cluster.handle(
                new Command.PutPool(
                        pool(2, 2, ScalingRules.of("static"), Slo.NONE, CostRules.NONE), "test"));
        for (int crash = 1; crash <= 2; crash++) {
            cluster.after(Duration.ofSeconds(40)).handle();
            report(before, 1, 1);
            JobId added = cluster.replicas(CHAT).stream().max(JobId::compareTo).orElseThrow();
            assertThat(before).doesNotContain(added);
            cluster.exit(added, 1);
        }
        Finding found = only(found(new PoolCrashLoop()));
        assertThat(found.severity()).isEqualTo(Severity.WARNING);
        assertThat(found.message()).endsWith("its update has stopped with 0 of 2 replicas updated");
        assertThat(found.remedy()).contains("earlier template");
    }

    @ParameterizedTest
    @CsvSource({"1.50, CLEAR", "0.99, EXCEEDED"})
    void aPoolMustNotCostMoreThanAllowed(double dollars, Finding.Level level) {
        cluster.join("n1", 1, Labels.of("kind", "paid"));
        cluster.handle(
                new Command.SetMarket(new Market("kind", "paid", 1_000_000, 0, false), "test"));
        put(1, ScalingRules.of("static"), Slo.NONE, atMost(Math.round(dollars * 1e6)));

        Finding found = only(found(new PoolCostLimit()));

        assertThat(found.level()).isEqualTo(level);
        assertThat(found.value()).isEqualTo(1);
        assertThat(found.threshold()).isEqualTo(dollars);
        assertThat(found.message()).startsWith("pool chat costs $1").endsWith(" are allowed");
    }

    @Test
    void aPoolWithoutALimitMayCostAnything() {
        cluster.join("n1", 1);
        putStatic(1);
        assertThat(found(new PoolCostLimit())).isEmpty();
    }

    private static CostRules atMost(long microDollars) {
        return new CostRules(
                microDollars, 0, 0, List.of(), 0, Duration.ofHours(1), false, "", false, false, "");
    }

    @ParameterizedTest
    @CsvSource({"99, CLEAR", "98, EXCEEDED"})
    void answersAreComparedWithTheObjectives(int within, Finding.Level level) {
        cluster.join("n1", 2);
        put(1, ScalingRules.of("slo"), FIRST_TOKEN_IN_A_SECOND, CostRules.NONE);
        start();
        assertThat(found(new PoolSloAtRisk())).as("nothing was answered").isEmpty();
        report(cluster.replicas(CHAT), 100, within);
        cluster.after(SECOND);

        Finding found = only(found(new PoolSloAtRisk()));

        assertThat(found.level()).isEqualTo(level);
        assertThat(found.value()).isEqualTo(within / 100.0);
        assertThat(found.threshold()).isEqualTo(0.99);
        assertThat(found.message())
                .contains("of the requests to pool chat meet its objectives")
                .endsWith("1 of 1 replicas are ready");
        cluster.after(Duration.ofSeconds(40));
        assertThat(found(new PoolSloAtRisk())).as("the reports are old").isEmpty();
    }

    @Test
    void aPoolWithoutObjectivesHasNoneAtRisk() {
        cluster.join("n1", 1);
        putStatic(1);
        start();
        report(cluster.replicas(CHAT), 100, 1);
        assertThat(found(new PoolSloAtRisk())).isEmpty();
    }
}
