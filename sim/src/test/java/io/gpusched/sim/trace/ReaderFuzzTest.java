package io.gpusched.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/// Whatever is in a file, a reader reads it or says in one sentence what is wrong with it.
final class ReaderFuzzTest {
    private static final int FILES_PER_READER = 100;
    private static final String[] NASTY = {
        "NaN",
        "1e400",
        "-5",
        "99999999999999999999",
        "",
        "\u001b[31m",
        "+999999999-01-01 00:00:00",
        "Infinity",
        "0x1p3",
        ";",
        ",",
        " ",
        "\uFEFF",
        "\u0000",
        "a".repeat(300),
        "-1e300",
        "1.5"
    };

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void anyBytesAreReadOrRefusedWithASentence() throws IOException {
        long seed = Long.getLong("seed", 1);
        var random = new Random(seed);
        for (var entry : FuzzedReaders.ALL.entrySet()) {
            byte[] sample = Files.readAllBytes(entry.getValue().sample());
            for (int i = 0; i < FILES_PER_READER; i++) {
                Path file = folder.resolve("fuzzed.csv");
                Files.write(file, damaged(sample, random));
                try {
                    assertThat(entry.getValue().read().apply(file)).isNotNull();
                } catch (BadTrace told) {
                    assertThat(told.getMessage())
                            .as("%s, file %s of seed %s", entry.getKey(), i, seed)
                            .contains("fuzzed.csv")
                            .contains("expected")
                            .hasSizeLessThan(800)
                            .matches("[^\\p{Cntrl}]*");
                }
            }
        }
    }

    private static byte[] damaged(byte[] sample, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> {
                var noise = new byte[random.nextInt(2000)];
                random.nextBytes(noise);
                yield noise;
            }
            case 1 -> Arrays.copyOf(sample, random.nextInt(sample.length));
            case 2 -> {
                byte[] bytes = sample.clone();
                for (int k = random.nextInt(20); k >= 0; k--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                yield bytes;
            }
            case 3 -> nastyCells(sample, random);
            default -> {
                String[] lines = new String(sample, StandardCharsets.UTF_8).split("\n", -1);
                for (int k = random.nextInt(5); k >= 0; k--) {
                    lines[random.nextInt(lines.length)] = lines[random.nextInt(lines.length)];
                }
                yield String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            }
        };
    }

    private static byte[] nastyCells(byte[] sample, Random random) {
        String[] lines = new String(sample, StandardCharsets.UTF_8).split("\n", -1);
        for (int k = random.nextInt(8); k >= 0; k--) {
            int at = random.nextInt(lines.length);
            String between = lines[at].indexOf(',') < 0 ? " " : ",";
            String[] cells = lines[at].split(between, -1);
            cells[random.nextInt(cells.length)] = NASTY[random.nextInt(NASTY.length)];
            lines[at] = String.join(between, cells);
        }
        return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    }
}
