package io.gpusched.server.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.store.Database;
import io.gpusched.store.SqlJournal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

@Timeout(120)
final class StoreWatchTest {
    @TempDir Path folder;

    /// A thread that holds the journal's lock blocks the watch, as a hanging database does.
    @Test
    void aStoreThatDoesNotAnswerIsTroubleUntilItDoes() {
        var liveness = new Liveness(death -> {});
        try (var journal = SqlJournal.open(new Database.Sqlite(folder), liveness);
                var watch = new StoreWatch(journal, death -> {}, Duration.ofSeconds(4))) {
            journal.raiseTerm(1);
            watch.start();
            liveness.watch(watch::trouble);
            assertThat(liveness.trouble()).isEmpty();
            synchronized (journal) {
                await(() -> liveness.trouble().startsWith("the store has not answered for"));
            }
            await(() -> liveness.trouble().isEmpty());
        }
    }

    private static void await(BooleanSupplier holds) {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - until).isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }
}
