package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

final class BackupFolderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void onlyTheNewestStayAndOtherFilesAreNotTouched() throws IOException {
        var backups = new BackupFolder(folder);
        for (int day = 1; day <= 5; day++) {
            Files.createFile(backups.file(Instant.parse("2026-01-0" + day + "T12:00:00Z")));
        }
        Files.createFile(folder.resolve("before-the-upgrade.db"));
        assertThat(backups.keep(2)).hasSize(3);
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "before-the-upgrade.db",
                            "journal-20260104T120000Z.db",
                            "journal-20260105T120000Z.db");
        }
        assertThat(backups.keep(2)).isEmpty();
    }
}
