package io.gpusched.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Any configuration file is either read or refused with a message.
final class ConfigFuzzTest {
    private static final List<String> SLIPS =
            List.of(
                    ":", ": ", "-", "- ", "[", "]", "{", "}", "&a ", "*a", "!!int ", "!x ", "|",
                    ">", "%", "@", "\"", "'", "\t", "\n", "#", ",", "?", "\u0000", "\ud800", "é",
                    "---\n", "...\n", "<<: ");
    private static final List<String> VALUES =
            List.of(
                    "0",
                    "-1",
                    "1.5",
                    "9e99",
                    ".nan",
                    ".inf",
                    "-.inf",
                    "0x10",
                    "true",
                    "null",
                    "~",
                    "''",
                    "x",
                    "[]",
                    "[x]",
                    "[{a: b}]",
                    "{}",
                    "{a: b}",
                    "[[x]]",
                    "1d",
                    "-5m",
                    "9223372036854775808",
                    "2026-01-05",
                    "2026-01-05T00:00:00Z");

    @TempDir Path temp;

    @Test
    void whateverIsInTheFileIsAConfigurationOrAFault() throws IOException {
        String text = Files.readString(Path.of("../config/scheduler-config.yaml"));
        Path file = temp.resolve("config.yaml");
        int good = 0;
        int faults = 0;
        for (long seed = 0; seed < 1500; seed++) {
            String damaged = damaged(text, new Random(seed));
            Files.write(file, damaged.getBytes(StandardCharsets.UTF_8));
            try {
                ConfigReader.read(Arguments.of("--config", file.toString()), Map.of());
                good++;
            } catch (ConfigException fault) {
                assertThat(fault.getMessage()).as("seed %d", seed).isNotBlank();
                faults++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ":\n" + damaged, e);
            }
        }
        assertThat(good).as("read in spite of it").isPositive();
        assertThat(faults).as("refused").isPositive();
    }

    /// The text with a few typing errors: letters missing, doubled or wrong, lines lost or swapped.
    private static String damaged(String text, Random random) {
        var damaged = new StringBuilder(text);
        for (int slips = 1 + random.nextInt(4); slips > 0 && damaged.length() > 2; slips--) {
            int at = random.nextInt(damaged.length() - 1);
            switch (random.nextInt(5)) {
                case 0 -> damaged.deleteCharAt(at);
                case 1 -> damaged.insert(at, SLIPS.get(random.nextInt(SLIPS.size())));
                case 2 -> replaceValue(damaged, at, random);
                case 3 -> damaged.delete(at, Math.min(damaged.length(), at + random.nextInt(40)));
                default -> damaged.setLength(at + 1);
            }
        }
        return damaged.toString();
    }

    /// Replaces the value after the next colon.
    private static void replaceValue(StringBuilder text, int from, Random random) {
        int colon = text.indexOf(": ", from);
        if (colon < 0) {
            return;
        }
        int end = colon + 2;
        while (end < text.length() && ",}]\n".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        text.replace(colon + 2, end, VALUES.get(random.nextInt(VALUES.size())));
    }
}
