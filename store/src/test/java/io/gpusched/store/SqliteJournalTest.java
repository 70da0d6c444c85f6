package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
    void aSecondOpenerInTheSameProcessDoesNotLetOthersIn() throws IOException {
        SqlJournal journal = journal();
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data"));
        for (Path name : List.of(folder.resolve("data"), link)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> SqlJournal.open(new Database.Sqlite(name), health))
                    .withMessageContaining("in use by process");
        }
        assertThat(openedElsewhere())
                .contains("in use by process " + ProcessHandle.current().pid());
        journal.append(Batches.batch(1, 1), () -> {});
        journal.close();
        journal.close();
        SqlJournal.open(database(), health).close();
    }

    /// The output of another process that tries to open the journal.
    private String openedElsewhere() throws IOException {
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                EndlessWriter.class.getName(),
                                folder.resolve("data").toString())
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            return String.valueOf(line);
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void aJournalThatWasDeletedWhileItIsOpenAcknowledgesNothing() throws IOException {
        SqlJournal journal = journal();
        journal.append(Batches.batch(1, 1), () -> {});
        try (var files = Files.list(folder.resolve("data"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(
                        () ->
                                journal.append(
                                        Batches.batch(2, 1),
                                        () -> {
                                            throw new AssertionError("it was acknowledged");
                                        }))
                .withMessageContaining("was deleted, moved or replaced while the scheduler ran");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(journal::look)
                .withMessageContaining("found no file");
    }

    @Test
    void aJournalThatWasReplacedWhileItIsOpenAcknowledgesNothing() throws IOException {
        SqlJournal journal = journal();
        Path file = folder.resolve("data").resolve(JournalLink.FILE);
        Files.move(file, folder.resolve("moved"));
        Files.copy(folder.resolve("moved"), file);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(journal::look)
                .withMessageContaining("found another file");
    }

    @Test
    void commitsAreMadeToWaitForTheDisk() throws SQLException {
        try (var link = JournalLink.open(database(), health)) {
            assertThat(pragma(link, "journal_mode")).isEqualTo("wal");
            assertThat(pragma(link, "synchronous")).as("FULL").isEqualTo("2");
        }
    }

    private static String pragma(JournalLink link, String name) throws SQLException {
        try (var sql = link.connection().createStatement();
                var row = sql.executeQuery("PRAGMA " + name)) {
            assertThat(row.next()).as(name).isTrue();
            return row.getString(1);
        }
    }

    @Test
    void aBusyDatabaseIsWaitedFor() throws SQLException, InterruptedException {
        SqlJournal journal = journal();
        try (var other = Dialect.connect(database(), JournalLink.FILE);
                var sql = other.createStatement()) {
            sql.execute("BEGIN IMMEDIATE");
            var writer =
                    Thread.ofPlatform().start(() -> journal.append(Batches.batch(1, 1), () -> {}));
            health.paused.await();
            sql.execute("ROLLBACK");
            writer.join();
        }
        assertThat(read(journal, 0)).containsExactly(Batches.batch(1, 1));
        assertThat(health.pauses).allMatch(why -> why.contains("writing batch 1"));
        assertThat(health.resumed).hasValue(1);
    }
}
