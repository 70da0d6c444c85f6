package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Batch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class JournalFileTest {
    private static final int BATCHES = 40;

    @TempDir Path folder;

    @Test
    void anExportedJournalComesBackEqualPackedOrNot() throws IOException {
        List<Batch> written = journal();
        for (String name : List.of("all.jsonl", "all.jsonl.gz")) {
            Path file = export(name);
            assertThat(read(file, 0)).isEqualTo(written);
            assertThat(read(file, 10)).isEqualTo(written.subList(10, BATCHES));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aFileThatIsThereIsNotOverwritten() throws IOException {
        journal();
        Path file = export("all.jsonl");
        assertThatThrownBy(() -> export("all.jsonl")).hasMessageContaining("name another");
        assertThat(read(file, 0)).hasSize(BATCHES);
        try (var left = Files.list(folder)) {
            assertThat(left.filter(f -> f.toString().endsWith(".draft"))).isEmpty();
        }
    }

    @Test
    void aDamagedLineIsNamed() throws IOException {
        journal();
        Path file = export("all.jsonl");
        List<String> lines = Files.readAllLines(file);
        assertRefused(with(lines, 7, "{\"number\":8}"), ":8: expected number, term, at");
        assertRefused(with(lines, 7, "nonsense"), ":8: not valid JSON");
        var gap = new ArrayList<>(lines);
        gap.remove(11);
        assertRefused(gap, ":12: expected batch 12, found 13");
        assertRefused(lines.subList(3, 10), ":1: expected batch 1 or one before it, found 4");
    }

    @Test
    void aTruncatedFileIsReadAsFarAsItGoes() throws IOException {
        List<Batch> written = journal();
        for (String name : List.of("all.jsonl", "all.jsonl.gz")) {
            byte[] whole = Files.readAllBytes(export(name));
            Path half = folder.resolve("half-" + name);
            Files.write(half, Arrays.copyOf(whole, whole.length * 2 / 3));
            var read = new ArrayList<Batch>();
            var file = new JournalFile(half);
            file.read(0, read::add);
            assertThat(read).isNotEmpty().isEqualTo(written.subList(0, read.size()));
            assertThat(file.cut()).contains("half-" + name + ":" + (read.size() + 1));
        }
    }

    @Test
    void aMissingOrUncompressedFileIsReported() throws IOException {
        Path file = folder.resolve("plain.jsonl.gz");
        Files.writeString(file, "{}\n");
        assertThatThrownBy(() -> read(file, 0)).hasMessageContaining("packed with gzip");
        assertThatThrownBy(() -> read(folder.resolve("none"), 0))
                .hasMessageContaining("expected an exported journal at");
    }

    private List<Batch> journal() {
        var written = new ArrayList<Batch>();
        try (var journal = SqlJournal.open(database(), StoreHealth.UNHEARD)) {
            long term = journal.raiseTerm();
            for (int number = 1; number <= BATCHES; number++) {
                Batch batch = Batches.batch(number, term);
                journal.append(batch, () -> {});
                written.add(batch);
            }
        }
        return written;
    }

    private Path export(String name) {
        Path file = folder.resolve(name);
        try (var reader = JournalReader.open(database())) {
            assertThat(JournalFile.write(reader, 0, file)).isEqualTo(BATCHES);
        }
        return file;
    }

    private Database database() {
        return new Database.Sqlite(folder.resolve("data"));
    }

    private static List<Batch> read(Path file, long after) {
        var read = new ArrayList<Batch>();
        new JournalFile(file).read(after, read::add);
        return read;
    }

    private static List<String> with(List<String> lines, int at, String line) {
        var changed = new ArrayList<>(lines);
        changed.set(at, line);
        return changed;
    }

    private void assertRefused(List<String> lines, String why) throws IOException {
        Path file = Files.write(Files.createTempFile(folder, "bad", ".jsonl"), lines);
        assertThatThrownBy(() -> read(file, 0))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(file + why);
    }
}
