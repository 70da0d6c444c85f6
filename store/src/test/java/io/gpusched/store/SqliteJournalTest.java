package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

final class SqliteJournalTest extends SqlJournalContract {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Override
    Database database() {
        return new Database.Sqlite(folder.resolve("data"));
    }

    @Override
    List<String> spelled() {
        return List.of(folder.resolve("data").toString());
    }

    @Test
    void aBusyDatabaseIsWaitedFor() throws SQLException, InterruptedException {
        SqlJournal journal = journal();
        try (var other = Dialect.connect(database(), JournalLink.FILE);
                var sql = other.createStatement()) {
            sql.execute("BEGIN IMMEDIATE");
            var writer =
                    Thread.ofPlatform().start(() -> journal.append(Batches.batch(1, 1), () -> {}));
            told.paused.await();
            sql.execute("ROLLBACK");
            writer.join();
        }
        assertThat(read(journal, 0)).containsExactly(Batches.batch(1, 1));
        assertThat(told.pauses).allMatch(why -> why.contains("writing batch 1"));
        assertThat(told.resumed).hasValue(1);
    }
}
