package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.whatif.RecordedConfigs;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.ShadowReplay;
import io.gpusched.store.Database;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// A shadow policy that cannot keep up with the journal of a real server.
@Timeout(120)
final class ShadowOverflowTest {
    private static final ShadowPolicy.Limits SMALL =
            new ShadowPolicy.Limits(4, 1_000_000, Duration.ZERO, Duration.ofMillis(5));

    @TempDir Path data;

    private final EngineConfig config =
            EngineConfig.load(ConfigReader.read(Arguments.of(), Map.of()));
    private final Engine engine = new Engine(config.policy(), config.learningSettings());

    /// Twelve jobs, one after the other, on one GPU.
    private List<Batch> journal() {
        try (var running = Running.in(data)) {
            var nodes = new FakeNodes(running.server());
            nodes.join("n1", 1);
            for (int i = 0; i < 12; i++) {
                String job = running.submit("{\"gpu_count\":1,\"max_runtime_minutes\":5}");
                nodes.run(job);
                nodes.end(job, 0);
            }
        }
        var batches = new ArrayList<Batch>();
        try (var journal = SqlJournal.open(new Database.Sqlite(data), StoreHealth.UNHEARD)) {
            journal.replay(0, batches::add);
        }
        return batches;
    }

    private void pass(Batch batch, ShadowPolicy shadow) {
        engine.apply(batch);
        shadow.applied(batch, CycleResult.nothing(batch.at()), engine);
    }

    private ShadowPolicy shadow() {
        return new ShadowPolicy(
                () -> "sjf", new RecordedConfigs(config.plugins().rules(), config.model()), SMALL);
    }

    @Test
    void anOverflowLeadsToAFreshStartAndTheComparisonGoesOn() {
        List<Batch> batches = journal();
        assertThat(batches).hasSizeGreaterThan(30);
        batches.subList(0, 10).forEach(engine::apply);
        var copies = new AtomicInteger();
        try (ShadowPolicy shadow = shadow()) {
            shadow.start(
                    () -> {
                        ShadowReplay.Beginning now = config.beginning(engine);
                        if (copies.getAndIncrement() == 0) {
                            batches.subList(10, 20).forEach(batch -> pass(batch, shadow));
                        }
                        return now;
                    });
            Soon.that("it starts again", () -> at(shadow, batches.get(19)));
            assertThat(shadow.resyncs().count()).isEqualTo(1);
            assertThat(shadow.resyncs().last()).isEqualTo("4 batches waited for it");
            assertThat(shadow.stopped()).isEmpty();

            for (Batch batch : batches.subList(20, batches.size())) {
                pass(batch, shadow);
                Soon.that("it follows", () -> at(shadow, batch));
            }
            ShadowReplay.Picture seen = Objects.requireNonNull(shadow.picture());
            assertThat(seen.batches()).isEqualTo(batches.size() - 20);
            assertThat(seen.differences().waiting().jobs()).isPositive();
            assertThat(shadow.resyncs().count()).isEqualTo(1);
        }
    }

    private static boolean at(ShadowPolicy shadow, Batch batch) {
        ShadowReplay.@Nullable Picture seen = shadow.picture();
        return seen != null && !seen.at().isBefore(batch.at());
    }

    @Test
    void aBusyServerIsAskedAgain() {
        var copies = new AtomicInteger();
        try (ShadowPolicy shadow = shadow()) {
            shadow.start(
                    () -> {
                        if (copies.getAndIncrement() == 0) {
                            throw new CellUnavailable("32 queries are waiting already", false);
                        }
                        return config.beginning(engine);
                    });
            Soon.that("it runs", () -> shadow.picture() != null);
            assertThat(shadow.resyncs().last()).contains("32 queries are waiting already");
        }
    }

    @Test
    void aFailureStopsItAndSaysWhy() {
        try (ShadowPolicy shadow = shadow()) {
            shadow.start(
                    () -> {
                        throw new IllegalStateException("a bug");
                    });
            Soon.that("it stops", () -> !shadow.stopped().isEmpty());
            assertThat(shadow.stopped()).contains("it failed").contains("a bug");
            assertThat(shadow.resyncs().count()).isZero();
        }
    }

    @Test
    void aFailureThrowsTheComparisonAway() {
        SchedulerConfig.Known broken =
                fingerprint -> {
                    throw new IllegalStateException("a bug");
                };
        try (var shadow = new ShadowPolicy(() -> "sjf", broken, SMALL)) {
            shadow.start(() -> config.beginning(engine));
            Soon.that("it runs", () -> shadow.picture() != null);

            restart(shadow);

            Soon.that("it stops", () -> !shadow.stopped().isEmpty());
            assertThat(shadow.stopped()).contains("a bug");
            assertThat(shadow.picture()).isNull();
        }
    }

    /// The first batch says that the scheduler was started again. The shadow asks for the
    /// configuration of that start.
    private void restart(ShadowPolicy shadow) {
        var restarted = new Event.EngineStarted(Instant.EPOCH, 1, "build", "fingerprint");
        var batch = new Batch(1, 1, Instant.EPOCH, List.of(restarted), List.of(), 0);
        shadow.applied(batch, CycleResult.nothing(Instant.EPOCH), engine);
    }

    @Test
    void aPictureStaysUntilItIsOld() {
        var heard = new AtomicInteger();
        SchedulerConfig.Known counting =
                fingerprint -> {
                    heard.incrementAndGet();
                    return null;
                };
        var rarely = new ShadowPolicy.Limits(4, 1_000_000, Duration.ZERO, Duration.ofHours(1));
        var shadow = new ShadowPolicy(() -> "sjf", counting, rarely);
        try (shadow) {
            shadow.start(() -> config.beginning(engine));
            Soon.that("it runs", () -> shadow.picture() != null);
            restart(shadow);
            Soon.that("it hears the batch", () -> heard.get() > 0);
        }
        assertThat(Objects.requireNonNull(shadow.picture()).batches()).isZero();
    }
}
