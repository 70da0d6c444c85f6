package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class SqliteTablesTest extends TablesContract {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Override
    Database database() {
        return new Database.Sqlite(folder);
    }

    @Test
    void aDamagedFileIsRenamedAndTheTablesAreRebuilt() throws IOException {
        new BusyCell(journal, journal.raiseTerm(), 1).live(30);
        Files.writeString(folder.resolve("tables.db"), "this is no database, ".repeat(500));
        try (var tables = Tables.open(journal, health)) {
            tables.catchUp();
            assertThat(tables.watermark()).isEqualTo(journal.head());
        }
        assertThat(health.warnings).singleElement().asString().contains("they are rebuilt");
        assertThat(setAside()).singleElement().asString().contains("tables.db.damaged-");
    }

    @Test
    void aFileDamagedWhileTheSchedulerRunsIsRebuiltToo() throws IOException {
        var busy = new BusyCell(journal, journal.raiseTerm(), 1);
        busy.live(30);
        try (var tables = Tables.open(journal, health)) {
            Files.writeString(folder.resolve("tables.db"), "this is no database, ".repeat(500));
            busy.live(30);
            tables.start();
            while (tables.watermark() < journal.head()) {
                Thread.onSpinWait();
            }
        }
        assertThat(setAside()).isNotEmpty();
    }

    private List<Path> setAside() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().contains(".damaged-")).toList();
        }
    }
}
