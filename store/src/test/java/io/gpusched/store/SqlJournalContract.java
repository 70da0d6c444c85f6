package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The additional contract of a journal in a database: it outlives its process, and only one
/// process writes it.
abstract class SqlJournalContract extends JournalContract {
    final RecordedHealth health = new RecordedHealth();
    private @Nullable SqlJournal open;

    /// An empty database, the same one for the whole test.
    abstract Database database();

    /// The arguments that pass [#database] to a child process.
    abstract List<String> spelled();

    @Override
    SqlJournal journal() {
        var journal = SqlJournal.open(database(), health);
        open = journal;
        journal.raiseTerm();
        return journal;
    }

    @Override
    long term() {
        return open().term();
    }

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
    }

    private SqlJournal open() {
        var present = open;
        return present == null ? journal() : present;
    }

    private SqlJournal reopen() {
        open().close();
        open = SqlJournal.open(database(), health);
        return open();
    }

    @Test
    void everythingIsThereAfterItWasClosed() {
        journal().append(Batches.batch(1, 1), () -> {});
        SqlJournal journal = reopen();
        assertThat(journal.head()).isEqualTo(1);
        assertThat(journal.term()).isEqualTo(1);
        journal.append(Batches.batch(2, 1), () -> {});
        assertThat(read(reopen(), 0)).containsExactly(Batches.batch(1, 1), Batches.batch(2, 1));
    }

    @Test
    void aReaderStopsWhenItHasEnough() {
        SqlJournal journal = journal();
        for (int i = 1; i <= 5; i++) {
            journal.append(Batches.batch(i, 1), () -> {});
        }
        try (JournalReader reader = journal.reader()) {
            var numbers = new ArrayList<Long>();
            assertThat(reader.readWhile(1, 10, batch -> !numbers.add(batch.number()))).isEqualTo(2);
            assertThat(reader.readWhile(2, 2, batch -> numbers.add(batch.number()))).isEqualTo(4);
            assertThat(numbers).containsExactly(2L, 3L, 4L);
            assertThat(reader.readWhile(5, 10, batch -> true)).isEqualTo(5);
        }
    }

    @Test
    void aPrunedJournalBeginsWithItsSnapshot() {
        SqlJournal journal = journal();
        var busy = new BusyCell(journal, journal.term(), 7);
        busy.live(40);
        Engine engine = busy.cell.engine();
        var beginning = new Snapshot(engine.image(), engine.learner().image(), engine.digest());
        long base = engine.lastBatch();
        busy.live(40);
        assertThat(journal.prune(beginning)).isEqualTo(base - 1);
        SqlJournal again = reopen();
        try (var reader = again.reader()) {
            assertThat(reader.base()).isEqualTo(base);
            assertThat(reader.beginning()).isEqualTo(beginning);
        }
        Engine restored =
                Engine.restore(
                        beginning.image(),
                        beginning.learned(),
                        BusyCell.newEngine().policy(),
                        EngineSettings.DEFAULT);
        again.replay(base, restored::apply);
        assertThat(restored.digest()).isEqualTo(engine.digest());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> read(again, 0))
                .withMessageContaining("batch 1 was deleted (retention.journal_days)")
                .withMessageContaining("begins after batch " + base);
    }

    @Test
    void aBackupOfAPrunedJournalHasItsBeginning(@TempDir Path folder) {
        SqlJournal journal = journal();
        var busy = new BusyCell(journal, journal.term(), 7);
        busy.live(40);
        Engine engine = busy.cell.engine();
        var beginning = new Snapshot(engine.image(), engine.learner().image(), engine.digest());
        busy.live(40);
        journal.prune(beginning);
        Path file = folder.resolve("backup.db");
        assertThat(journal.backup(file)).isEqualTo(journal.head());
        var copies =
                List.of(
                        new Database.Sqlite(folder.resolve("copy")),
                        TestPostgres.newest().emptySchema());
        for (Database copy : copies) {
            assertThat(Backup.restore(file, copy)).isEqualTo(journal.head());
            try (var restored = SqlJournal.open(copy, health);
                    var reader = restored.reader()) {
                assertThat(reader.beginning()).isEqualTo(beginning);
                long base = reader.base();
                assertThat(read(restored, base)).isEqualTo(read(journal, base));
            }
        }
    }

    @Test
    void aSchedulerThatIsNotInChargePrunesNothing() {
        SqlJournal journal = journal();
        var busy = new BusyCell(journal, journal.term(), 7);
        busy.live(20);
        Engine engine = busy.cell.engine();
        var beginning = new Snapshot(engine.image(), engine.learner().image(), engine.digest());
        try (var connection = Dialect.connect(database(), JournalLink.FILE);
                var sql = connection.createStatement()) {
            sql.executeUpdate("UPDATE cell SET term = term + 1");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> journal.prune(beginning))
                .withMessageContaining("belongs to another scheduler");
        assertThat(read(journal, 0)).hasSize((int) engine.lastBatch());
    }

    @Test
    void aStaleTermWritesNothing() {
        SqlJournal journal = journal();
        journal.append(Batches.batch(1, 1), () -> {});
        assertThat(journal.raiseTerm()).isEqualTo(2);
        refuses(journal, Batches.batch(2, 1));
        journal.append(Batches.batch(2, 2), () -> {});
        assertThat(read(journal, 1)).containsExactly(Batches.batch(2, 2));
    }

    @Test
    void aReplacedSchedulerIsFencedByTheDatabase() throws SQLException {
        SqlJournal journal = journal();
        journal.append(Batches.batch(1, 1), () -> {});
        change("UPDATE cell SET term = 7");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> journal.append(Batches.batch(2, 1), () -> {}))
                .withMessageContaining("expected batch 2 of term 7, found batch 2 of term 1")
                .withMessageContaining("taken over")
                .extracting(StoreException::kind)
                .isEqualTo(StoreException.Kind.FENCED);
        assertThat(journal.head()).isEqualTo(1);
    }

    @Test
    void aTermIsHigherThanAnyBeforeAndAtLeastTheRequestedOne() {
        SqlJournal journal = journal();
        assertThat(journal.raiseTerm(5)).isEqualTo(5);
        assertThat(journal.raiseTerm(5)).isEqualTo(6);
        assertThat(journal.raiseTerm(0)).isEqualTo(7);
        journal.append(Batches.batch(1, 7), () -> {});
    }

    @Test
    void everyLookThatFindsTheJournalOursCounts() {
        SqlJournal journal = journal();
        long before = System.nanoTime();
        assertThat(journal.oursAt()).isLessThan(before);
        journal.look();
        long looked = journal.oursAt();
        assertThat(looked).isBetween(before, System.nanoTime());
        journal.append(Batches.batch(1, 1), () -> {});
        assertThat(journal.oursAt()).isGreaterThan(looked);
    }

    @Test
    void anOwnershipCheckNamesTheNewOwner() throws SQLException {
        SqlJournal journal = journal();
        long ours = journal.oursAt();
        change("UPDATE cell SET term = 7, holder = 'another'");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(journal::look)
                .withMessageContaining("expected a journal of term 1, found term 7")
                .withMessageContaining("belongs to another")
                .extracting(StoreException::kind)
                .isEqualTo(StoreException.Kind.FENCED);
        assertThat(journal.oursAt()).isEqualTo(ours);
    }

    @Test
    void aSecondProcessIsRefusedAndNamesTheOwner() {
        journal();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> SqlJournal.open(database(), health))
                .withMessageContaining("in use by process " + ProcessHandle.current().pid())
                .withMessageContaining("since 20")
                .extracting(StoreException::kind)
                .isEqualTo(StoreException.Kind.LOCKED);
    }

    @Test
    void aDamagedBatchIsNamedAndNotSkipped() throws SQLException {
        SqlJournal journal = journal();
        for (long number = 1; number <= 3; number++) {
            journal.append(Batches.batch(number, 1), () -> {});
        }
        change(
                "UPDATE batches SET body = (SELECT body FROM batches WHERE number = 1) WHERE number"
                        + " = 2");
        var read = new ArrayList<Batch>();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> journal.replay(0, read::add))
                .withMessageContaining("batch 2 of the journal is damaged")
                .extracting(StoreException::kind)
                .isEqualTo(StoreException.Kind.DAMAGED);
        assertThat(read).containsExactly(Batches.batch(1, 1));
    }

    @Test
    void aMissingBatchIsNamed() throws SQLException {
        SqlJournal journal = journal();
        for (long number = 1; number <= 3; number++) {
            journal.append(Batches.batch(number, 1), () -> {});
        }
        change("DELETE FROM batches WHERE number = 3");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> journal.replay(0, batch -> {}))
                .withMessageContaining("batch 3 of the journal is missing");
        change("DELETE FROM batches WHERE number = 1");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> journal.replay(0, batch -> {}))
                .withMessageContaining("batch 1 of the journal is missing");
    }

    @Test
    void aReaderSeesWhatIsWrittenMeanwhile() {
        SqlJournal journal = journal();
        try (var reader = journal.reader()) {
            assertThat(reader.read(0, batch -> {})).isEqualTo(0);
            journal.append(Batches.batch(1, 1), () -> {});
            journal.append(Batches.batch(2, 1), () -> {});
            assertThat(reader.read(0, 1, batch -> {})).isEqualTo(1);
            assertThat(reader.read(1, batch -> {})).isEqualTo(2);
        }
    }

    @Test
    void aNewerSchemaIsRefused() throws SQLException {
        journal().close();
        change("UPDATE schema_versions SET version = 99");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> SqlJournal.open(database(), health))
                .withMessageContaining("found 99: start a newer release");
    }

    @Test
    void aBackupIsMadeWhileOthersWriteAndRestoredIntoEitherDatabase(@TempDir Path folder) {
        SqlJournal journal = journal();
        for (long number = 1; number <= 250; number++) {
            journal.append(Batches.batch(number, 1), () -> {});
        }
        Path file = folder.resolve("backup.db");
        assertThat(journal.backup(file)).isEqualTo(250);
        journal.append(Batches.batch(251, 1), () -> {});
        var copies =
                List.of(
                        new Database.Sqlite(folder.resolve("copy")),
                        TestPostgres.newest().emptySchema());
        for (Database copy : copies) {
            assertThat(Backup.restore(file, copy)).isEqualTo(250);
            try (var restored = SqlJournal.open(copy, health)) {
                assertThat(restored.term()).isEqualTo(1);
                assertThat(read(restored, 0)).isEqualTo(read(journal, 0).subList(0, 250));
                restored.append(Batches.batch(251, 1), () -> {});
            }
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> Backup.restore(file, copy))
                    .withMessageContaining("expected an empty store");
        }
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> journal.backup(file))
                .withMessageContaining("expected no file");
    }

    @Test
    void aDamagedBackupIsNotRestored(@TempDir Path folder) throws SQLException {
        journal().append(Batches.batch(1, 1), () -> {});
        open().append(Batches.batch(2, 1), () -> {});
        Path file = folder.resolve("backup.db");
        open().backup(file);
        try (var connection = Dialect.sqlite(file, false);
                var sql = connection.createStatement()) {
            sql.executeUpdate("UPDATE batches SET at = at + 1 WHERE number = 2");
        }
        var copy = new Database.Sqlite(folder.resolve("copy"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Backup.restore(file, copy))
                .withMessageContaining("batch 2 of the journal is damaged");
        try (var restored = SqlJournal.open(copy, health)) {
            assertThat(restored.head()).isZero();
            assertThat(read(restored, 0)).isEmpty();
        }
    }

    @Test
    void aBackupThatCannotBeMadeNamesItsPathAndLeavesNothing(@TempDir Path folder)
            throws IOException {
        Path absent = folder.resolve("absent");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> journal().backup(absent.resolve("backup.db")))
                .withMessageContaining(absent.toString());
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(
                        () ->
                                Backup.make(
                                        new Database.Sqlite(folder.resolve("nowhere")),
                                        folder.resolve("backup.db")))
                .withMessageContaining("expected a journal in " + folder.resolve("nowhere"));
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aFileThatIsNoBackupIsNotRestoredAndTouchesNothing(@TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "not a database ".repeat(100));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Backup.restore(file, new Database.Sqlite(folder.resolve("copy"))))
                .withMessageContaining(file.toString());
        assertThat(folder.resolve("copy")).doesNotExist();
    }

    @Test
    void whatWasAcknowledgedSurvivesAKill() throws IOException, InterruptedException {
        long acknowledged = 0;
        for (int round = 1; round <= 2; round++) {
            acknowledged = writeUntilKilled(acknowledged + 40L * round);
            try (var journal = SqlJournal.open(database(), health)) {
                long head = journal.head();
                assertThat(head).isGreaterThanOrEqualTo(acknowledged);
                var numbers = new ArrayList<Long>();
                journal.replay(
                        0,
                        batch -> {
                            assertThat(batch)
                                    .isEqualTo(Batches.batch(batch.number(), batch.term(), 16));
                            numbers.add(batch.number());
                        });
                assertThat(numbers).hasSize((int) head);
                acknowledged = head;
            }
        }
    }

    /// Lets a child write, kills it when it has acknowledged batch `until`, and returns the last
    /// number it acknowledged.
    private long writeUntilKilled(long until) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(EndlessWriter.class.getName());
        command.addAll(spelled());
        Process child =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        long last = 0;
        try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                last = Long.parseLong(line);
                if (last >= until) {
                    child.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(child.waitFor()).as("killed by signal 9").isEqualTo(137);
        return last;
    }

    final void change(String sql) throws SQLException {
        try (Connection connection = Dialect.connect(database(), JournalLink.FILE);
                var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
