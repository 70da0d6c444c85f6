package io.gpusched.server.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.sim.pools.PoolCase;
import io.gpusched.sim.pools.PoolNodes;
import io.gpusched.sim.pools.PoolRun;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.scaling.ScalerWhatIfResult;
import io.gpusched.sim.trace.TraceJob;
import io.gpusched.sim.whatif.InvalidWhatIf;
import io.gpusched.store.Database;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/// Scaling laws tried on the stored load of a pool.
@Timeout(120)
final class ScalerShadowTest {
    private static final PoolId CHAT = new PoolId("chat");
    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    private static final Duration LONG = Duration.ofSeconds(100);

    @TempDir Path folder;

    /// A pool that served for ten minutes.
    private SqlJournal journal() {
        var journal = SqlJournal.open(new Database.Sqlite(folder), StoreHealth.UNHEARD);
        journal.raiseTerm();
        var requests = new ArrayList<ServingRequest>();
        for (int i = 0; i < 1_200; i++) {
            requests.add(new ServingRequest(i, i / 2.0, 500 + i % 7 * 100, 60 + i % 5 * 40));
        }
        Role replica = Role.of(TraceJob.Ask.ofGpus(2).shape(), 1);
        var pool =
                new Pool(
                        CHAT,
                        "",
                        JobSpec.builder(Tenant.DEFAULT, List.of(replica)).name("chat").build(),
                        1,
                        4,
                        0,
                        new Slo(1_000, 75, 0, 990),
                        ScalingRules.slo(),
                        CostRules.NONE,
                        CarbonRules.NONE,
                        LocalityRules.NONE,
                        ServingRules.NONE);
        var around =
                new PoolCase(
                        requests,
                        IterationCost.LLAMA2_70B,
                        START,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(1),
                        PoolNodes.of(4, 2),
                        pool,
                        List.of(PoolCase.Scripted.of(START, new Command.PutPool(pool, "test"))),
                        List.of(),
                        PoolCase.Gauges.NONE,
                        Duration.ZERO,
                        Duration.ofDays(1));
        new PoolRun(around, List.of(), (batch, cycleResult) -> journal.append(batch, () -> {}))
                .run();
        return journal;
    }

    private static ScalerShadow shadow(Supplier<StoredHistory> histories, Duration limit) {
        return shadow(histories, new ScalerShadow.Limits(limit, 1_000_000));
    }

    private static ScalerShadow shadow(
            Supplier<StoredHistory> histories, ScalerShadow.Limits limits) {
        return new ScalerShadow(
                histories, (history, at) -> null, fingerprint -> null, List.of(), limits);
    }

    @Test
    void lawsAreTriedOnTheStoredLoad() {
        try (var journal = journal();
                var shadow = shadow(() -> new StoredHistory(journal), LONG)) {
            ScalerWhatIfResult result = shadow.ask(CHAT, List.of("static-2", "hpa-20"), START);
            assertThat(result.requests()).isEqualTo(1_200);
            assertThat(result.tried()).extracting(law -> law.law()).contains("static-2", "hpa-20");
            assertThat(result.tried().getFirst().gpuHours())
                    .isGreaterThan(result.record().figures().gpuHours());
            assertThatThrownBy(() -> shadow.ask(new PoolId("x"), List.of("static-2"), START))
                    .isInstanceOf(InvalidWhatIf.class)
                    .hasMessageContaining("no pool x");
        }
    }

    @Test
    void aComputationThatTakesTooLongEnds() {
        try (var journal = journal();
                var shadow = shadow(() -> new StoredHistory(journal), Duration.ZERO)) {
            assertThatThrownBy(() -> shadow.ask(CHAT, List.of("static-2"), START))
                    .isInstanceOf(ScalerShadow.TooMuch.class);
        }
    }

    /// A large pool reports much in a day, and all of it would be in the memory of the server.
    @Test
    void aComputationThatTakesTooMuchMemoryEnds() {
        var limits = new ScalerShadow.Limits(LONG, 1_000);
        try (var journal = journal();
                var shadow = shadow(() -> new StoredHistory(journal), limits)) {
            assertThatThrownBy(() -> shadow.ask(CHAT, List.of("static-2"), START))
                    .isInstanceOf(ScalerShadow.TooMuch.class)
                    .hasMessageContaining("memory");
        }
    }

    @Test
    void onlyOneComputationRunsAtATime() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        try (var journal = journal();
                var shadow =
                        shadow(
                                () -> {
                                    begun.countDown();
                                    try {
                                        gate.await();
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                    return new StoredHistory(journal);
                                },
                                LONG)) {
            var first =
                    CompletableFuture.supplyAsync(
                            () -> shadow.ask(CHAT, List.of("static-2"), START));
            begun.await();
            assertThatThrownBy(() -> shadow.ask(CHAT, List.of("static-2"), START))
                    .isInstanceOf(ScalerShadow.Busy.class);
            gate.countDown();
            assertThat(first.join().tried()).hasSize(1);
        }
    }
}
