package io.gpusched.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.store.Database;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreHealth;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Objects;

final class JournalMakerTest {
    @TempDir private Path folder;

    @Test
    void allJobsOfALongHistoryHaveEnded() {
        try (var journal = new JournalMaker(folder)) {
            journal.wholeLives(6000);
            assertThat(journal.events()).isBetween(6000L, 13_000L);
        }
        Engine engine = replayed();
        assertThat(engine.state().jobs().size()).isPositive();
        assertThat(engine.state().runs().size()).isZero();
        assertThat(engine.state().waitingJobs()).isZero();
    }

    @Test
    void someAlwaysWaitWhereItIsCrowded() {
        try (var journal = new JournalMaker(folder)) {
            journal.crowded(8000);
        }
        Engine engine = replayed();
        assertThat(engine.state().waitingJobs()).isBetween(100L, 1000L);
        assertThat(engine.state().runs().size()).isBetween(100, 800);
    }

    @Test
    void asManyJobsWaitAsWereAskedFor() {
        try (var journal = new JournalMaker(folder)) {
            journal.waitingJobs(1500);
        }
        assertThat(replayed().state().waitingJobs()).isEqualTo(1500);
    }

    private Engine replayed() {
        var settings = EngineSettings.DEFAULT;
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        var engine = new Engine(policy, settings);
        try (var journal = SqlJournal.open(new Database.Sqlite(folder), StoreHealth.UNHEARD)) {
            journal.replay(0, engine::apply);
        }
        return engine;
    }
}
