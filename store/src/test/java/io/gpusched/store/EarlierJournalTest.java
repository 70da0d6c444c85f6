package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.codec.Snapshot;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

final class EarlierJournalTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private EarlierJournal earlier;

    @BeforeEach
    void look() {
        earlier = new EarlierJournal(new Database.Sqlite(folder), folder.resolve("snapshots"));
    }

    private void run() {
        var health = new RecordedHealth();
        try (var journal = SqlJournal.open(new Database.Sqlite(folder), health)) {
            var busy = new BusyCell(journal, journal.raiseTerm(), 1);
            busy.live(20);
            var engine = busy.cell.engine();
            new Snapshots(folder.resolve("snapshots"), 3, health)
                    .save(new Snapshot(engine.image(), engine.learner().image(), engine.digest()));
            try (var tables = Tables.open(journal, health)) {
                tables.catchUp();
            }
        }
    }

    @Test
    void aNewFolderAndACompleteOneHaveLostNothing() {
        assertThat(earlier.traces()).isEmpty();
        run();
        assertThat(earlier.traces()).isEmpty();
    }

    @Test
    void whatWasMadeFromAMissingOrEmptyJournalShowsThatThereWasOne() throws IOException {
        run();
        deleteJournal();
        assertThat(earlier.traces())
                .hasSize(2)
                .anyMatch(trace -> trace.startsWith("snapshots in "))
                .anyMatch(trace -> trace.startsWith("tables of the journal up to batch "));
        Files.createFile(folder.resolve(JournalLink.FILE));
        assertThat(earlier.traces()).hasSize(2);
        SqlJournal.open(new Database.Sqlite(folder), new RecordedHealth()).close();
        assertThat(earlier.traces()).as("a journal without batches").hasSize(2);
    }

    @Test
    void snapshotsAreSetAsideForANewJournal() throws IOException {
        run();
        deleteJournal();
        earlier.setSnapshotsAside();
        assertThat(folder.resolve("snapshots")).doesNotExist();
        assertThat(earlier.traces()).as("tables are emptied when they are opened").hasSize(1);
    }

    private void deleteJournal() throws IOException {
        for (String end : new String[] {"", "-wal", "-shm"}) {
            Files.deleteIfExists(folder.resolve(JournalLink.FILE + end));
        }
    }
}
