package io.gpusched.server.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.store.Database;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

@Timeout(60)
final class WhatIfServiceTest {
    private static final WhatIfQuestion ANY = WhatIfQuestion.of("fifo");

    private final CountDownLatch gate = new CountDownLatch(1);

    @TempDir Path folder;

    @Test
    void oneQuestionIsAnsweredAtATimeAndAFailureEndsThere() {
        try (var service =
                service(
                        () -> {
                            throw new IllegalStateException("the disk is gone");
                        })) {
            WhatIfRun first = Objects.requireNonNull(service.ask(ANY));
            assertThat(service.ask(ANY)).isNull();
            gate.countDown();
            await(first);
            assertThat(first.state()).isEqualTo(WhatIfRun.State.FAILED);
            assertThat(first.failure()).contains("the disk is gone");
            assertThat(service.ask(ANY)).isNotNull();
        }
    }

    @Test
    void aQuestionCanBeCancelledAndForgotten() {
        try (var journal = journal();
                var service = service(() -> new StoredHistory(journal))) {
            WhatIfRun whatIfRun = Objects.requireNonNull(service.ask(ANY));
            service.drop(whatIfRun);
            gate.countDown();
            await(whatIfRun);
            assertThat(whatIfRun.state()).isEqualTo(WhatIfRun.State.CANCELLED);
            service.drop(whatIfRun);
            assertThat(service.find(whatIfRun.id())).isNull();
        }
    }

    @Test
    void onlyTheLastAnswersAreKept() {
        gate.countDown();
        try (var journal = journal();
                var service = service(() -> new StoredHistory(journal))) {
            for (int i = 0; i < 25; i++) {
                WhatIfRun whatIfRun = Objects.requireNonNull(service.ask(ANY));
                await(whatIfRun);
                assertThat(whatIfRun.failure()).isEmpty();
                assertThat(whatIfRun.state()).isEqualTo(WhatIfRun.State.DONE);
            }
            assertThat(service.all()).hasSize(20);
            assertThat(service.all().getFirst().id()).isEqualTo("whatif-25");
        }
    }

    private WhatIfService service(Supplier<StoredHistory> histories) {
        return new WhatIfService(
                () -> {
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return histories.get();
                },
                fingerprint -> null,
                InstantSource.system());
    }

    /// A journal in which a server took charge.
    private SqlJournal journal() {
        var journal = SqlJournal.open(new Database.Sqlite(folder), StoreHealth.UNHEARD);
        long term = journal.raiseTerm();
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        var engine =
                new Engine(SchedulerConfig.DEFAULT.toPolicy(), SchedulerConfig.DEFAULT.settings());
        var began = new Event.EngineStarted(at, term, "test", "test");
        engine.apply(began);
        journal.append(
                new Batch(1, term, at, List.of(began), List.of(), engine.digest()), () -> {});
        return journal;
    }

    private static void await(WhatIfRun whatIfRun) {
        while (whatIfRun.state() == WhatIfRun.State.RUNNING) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
