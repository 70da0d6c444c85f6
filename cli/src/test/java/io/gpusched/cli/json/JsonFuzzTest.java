package io.gpusched.cli.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

/// Random documents, whole and damaged. A failure names its seed; run it alone with `-Dseed=N`.
final class JsonFuzzTest {
    private static final int RUNS = 3000;
    private static final String DAMAGE = "{}[]\",:\\0-.eEtfnu \n\u0000\ud800";

    @Test
    void whatIsWrittenIsReadBackEqual() {
        for (long seed : seeds()) {
            Json value = value(new Random(seed), 0);

            assertThat(JsonParser.read(JsonWriter.onOneLine(value)))
                    .as("seed %s", seed)
                    .isEqualTo(value);
            assertThat(JsonParser.read(JsonWriter.indented(value)))
                    .as("seed %s", seed)
                    .isEqualTo(value);
            assertThat(JsonWriter.onOneLine(value)).as("seed %s", seed).doesNotContain("\n");
        }
    }

    @Test
    void damagedTextIsAFaultOrAValueButNothingElse() {
        for (long seed : seeds()) {
            var random = new Random(seed);
            String damaged = damaged(JsonWriter.indented(value(random, 0)), random);
            try {
                Json read = JsonParser.read(damaged);
                assertThat(JsonParser.read(JsonWriter.onOneLine(read)))
                        .as("seed %s", seed)
                        .isEqualTo(read);
                assertThat(read.text()).as("seed %s", seed).isNotNull();
                assertThat(YamlWriter.write(read)).as("seed %s", seed).endsWith("\n");
            } catch (JsonFault fault) {
                assertThat(fault.getMessage())
                        .as("seed %s", seed)
                        .matches("line \\d+, column \\d+: expected .+, found .+");
            } catch (RuntimeException | StackOverflowError wrong) {
                throw new AssertionError("seed " + seed + ": " + damaged, wrong);
            }
        }
    }

    @Test
    void everyPrefixOfAnObjectIsAFault() {
        String whole = "{\"a\":[1,-2.5e3,true,null,\"x\\u0041\"],\"b\":{}}";
        for (int length = 0; length < whole.length(); length++) {
            String prefix = whole.substring(0, length);
            assertThat(isJson(prefix)).as(prefix).isFalse();
        }
        assertThat(isJson(whole)).isTrue();
    }

    private static boolean isJson(String text) {
        try {
            JsonParser.read(text);
            return true;
        } catch (JsonFault fault) {
            return false;
        }
    }

    private static List<Long> seeds() {
        String only = System.getProperty("seed");
        if (only != null) {
            return List.of(Long.valueOf(only));
        }
        var seeds = new ArrayList<Long>();
        for (long seed = 1; seed <= RUNS; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private static Json value(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 4 : 7)) {
            case 0 -> Json.of(text(random));
            case 1 -> new Json.Num(number(random));
            case 2 -> Json.of(random.nextBoolean());
            case 3 -> Json.Nil.NIL;
            case 4 -> items(random, depth);
            default -> fields(random, depth);
        };
    }

    private static Json items(Random random, int depth) {
        var items = new ArrayList<Json>();
        for (int i = random.nextInt(5); i > 0; i--) {
            items.add(value(random, depth + 1));
        }
        return new Json.Items(items);
    }

    private static Json fields(Random random, int depth) {
        var fields = new LinkedHashMap<String, Json>();
        for (int i = random.nextInt(5); i > 0; i--) {
            fields.put(text(random), value(random, depth + 1));
        }
        return new Json.Fields(fields);
    }

    private static String number(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Integer.toString(random.nextInt());
            case 1 -> Long.toString(random.nextLong());
            case 2 -> "0";
            default -> random.nextInt(100) + "." + random.nextInt(1000) + "E-" + random.nextInt(9);
        };
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(
                    switch (random.nextInt(4)) {
                        case 0 -> Character.toString(random.nextInt(0x110000));
                        case 1 -> Character.toString(random.nextInt(0x30));
                        case 2 -> Character.toString((char) random.nextInt(0x10000));
                        default -> Character.toString('a' + random.nextInt(26));
                    });
        }
        return text.toString();
    }

    private static String damaged(String text, Random random) {
        var damaged = new StringBuilder(text);
        for (int i = 1 + random.nextInt(4); i > 0 && !damaged.isEmpty(); i--) {
            int at = random.nextInt(damaged.length());
            char c = DAMAGE.charAt(random.nextInt(DAMAGE.length()));
            switch (random.nextInt(4)) {
                case 0 -> damaged.setCharAt(at, c);
                case 1 -> damaged.insert(at, c);
                case 2 -> damaged.deleteCharAt(at);
                default -> damaged.setLength(at);
            }
        }
        return damaged.toString();
    }
}
