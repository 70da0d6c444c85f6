package io.gpusched.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Journals of older releases stay readable. `journal-v1.bin` was written once and is never written
/// again. `journal-v1.txt` is its content as text; it changes only when records gain fields
/// (`-Dupdate=true` writes it again, and its diff is reviewed like code).
final class KeptJournalTest {
    private static final Path KEPT = Path.of("src/test/resources/journal-v1.bin");
    private static final Path SAID = Path.of("src/test/resources/journal-v1.txt");

    @Test
    void aJournalOfVersion1IsReadUnchanged() throws IOException {
        if (Boolean.getBoolean("update") && !Files.exists(KEPT)) {
            Files.write(KEPT, written());
        }
        String said = said(Files.readAllBytes(KEPT));
        if (Boolean.getBoolean("update")) {
            Files.writeString(SAID, said);
        }
        assertThat(said).isEqualTo(Files.readString(SAID));
    }

    private static String said(byte[] journal) throws IOException {
        var codec = new BatchCodec();
        var text = new StringBuilder();
        var in = new DataInputStream(new ByteArrayInputStream(journal));
        while (in.available() > 0) {
            Batch batch = codec.decode(in.readNBytes(in.readInt()));
            text.append(
                    "batch %s term %s at %s digest %s\n"
                            .formatted(batch.number(), batch.term(), batch.at(), batch.digest()));
            for (Event event : batch.facts()) {
                text.append("  fact    ").append(event).append('\n');
            }
            for (Event event : batch.decided()) {
                text.append("  decided ").append(event).append('\n');
            }
        }
        return text.toString();
    }

    private static byte[] written() throws IOException {
        var codec = new BatchCodec();
        List<Batch> batches = new ArrayList<>();
        for (int number = 1; number <= 5; number++) {
            batches.add(new RandomFacts(number).batchOfEveryKind(number));
        }
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        for (Batch batch : batches) {
            byte[] body = codec.encode(batch);
            out.writeInt(body.length);
            out.write(body);
        }
        return bytes.toByteArray();
    }
}
