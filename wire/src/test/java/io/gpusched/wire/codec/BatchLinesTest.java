package io.gpusched.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Batch;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

final class BatchLinesTest {
    private static final int SEEDS = 60;

    private final BatchLines lines = new BatchLines();

    @Test
    void everyKindOfEventComesBackEqualFromItsLine() throws IOException {
        for (long seed = 0; seed < SEEDS; seed++) {
            Batch batch = new RandomFacts(seed).batchOfEveryKind(seed + 1);
            byte[] line = written(batch);
            assertThat(new String(line, StandardCharsets.UTF_8))
                    .as("seed %s", seed)
                    .endsWith("\n")
                    .containsOnlyOnce("\n");
            assertThat(lines.read(line, line.length)).as("seed %s", seed).isEqualTo(batch);
        }
    }

    @Test
    void aDamagedLineIsRefusedInWords() throws IOException {
        byte[] line = written(new RandomFacts(3).batchOfEveryKind(1));
        var dice = new Random(5);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = line.clone();
            damaged[dice.nextInt(line.length)] ^= (byte) (1 << dice.nextInt(7));
            int length = 1 + dice.nextInt(line.length);
            try {
                lines.read(damaged, length);
            } catch (UnreadableException refused) {
                assertThat(refused).hasMessageNotContaining(": null");
            }
        }
    }

    @Test
    void whatIsNoBatchIsRefusedWithWhatWasExpected() {
        assertRefused("[1]", "expected one JSON object");
        assertRefused("{\"number\":1}", "expected number, term, at, digest, facts and decided");
        assertRefused("{\"size\":1}", "found \"size\"");
        assertRefused("{\"digest\":\"xyz\"}", "expected a digest of 16 hexadecimal digits");
        assertRefused("{\"facts\":[{\"job_eaten\":{}}]}", "found \"job_eaten\"");
        assertRefused("{\"facts\":[{\"version\":true}]}", "expected a text for version");
    }

    private void assertRefused(String line, String why) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> lines.read(bytes, bytes.length))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining(why);
    }

    private byte[] written(Batch batch) throws IOException {
        var out = new ByteArrayOutputStream();
        lines.write(batch, out);
        return out.toByteArray();
    }
}
