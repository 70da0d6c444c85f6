package io.gpusched.lab;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// Makes damaged files of good ones.
final class Damage {
    private static final String[] NASTY = {
        "NaN",
        "1e400",
        "-5",
        "99999999999999999999",
        "",
        "\u001b[31m",
        "Infinity",
        ";",
        ",",
        " ",
        "\uFEFF",
        "\u0000",
        "a".repeat(300),
        "-1e300",
        "1.5",
        "]",
        "{",
        ":",
        "null",
        "\u202e"
    };

    private Damage() {}

    static byte[] of(byte[] good, Random random) {
        String[] words = new String(good, StandardCharsets.UTF_8).split("(?<=[,\\s:])", -1);
        return switch (random.nextInt(5)) {
            case 0 -> noise(random);
            case 1 -> Arrays.copyOf(good, random.nextInt(good.length + 1));
            case 2 -> {
                byte[] bytes = good.clone();
                for (int k = random.nextInt(6); k >= 0; k--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                yield bytes;
            }
            default -> {
                for (int k = random.nextInt(3); k >= 0; k--) {
                    int at = random.nextInt(words.length);
                    String end =
                            words[at].isEmpty() ? "" : words[at].substring(words[at].length() - 1);
                    words[at] = NASTY[random.nextInt(NASTY.length)] + end;
                }
                yield String.join("", words).getBytes(StandardCharsets.UTF_8);
            }
        };
    }

    private static byte[] noise(Random random) {
        var noise = new byte[random.nextInt(500)];
        random.nextBytes(noise);
        return noise;
    }
}
