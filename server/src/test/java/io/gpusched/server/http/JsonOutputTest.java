package io.gpusched.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

final class JsonOutputTest {
    @Test
    void everyKindOfValueIsWrittenWithItsCommas() {
        var out =
                new JsonOutput(1)
                        .object()
                        .field("text", "a\"b\\c\n\u0001é€😀")
                        .field("number", -12L)
                        .field("zero", 0)
                        .field("half", 0.5)
                        .field("whole", 3.0)
                        .field("nan", Double.NaN)
                        .field("flag", true)
                        .field("none", (String) null)
                        .empty("nothing")
                        .field("at", Instant.parse("2025-01-02T03:04:05.678901Z"))
                        .field("list", List.of("a", "b"))
                        .field("map", Map.of("k ü", "v"))
                        .name("nested")
                        .array()
                        .object()
                        .endObject()
                        .array()
                        .endArray()
                        .value(1)
                        .endArray()
                        .endObject();

        assertThat(out)
                .hasToString(
                        "{\"text\":\"a\\\"b\\\\c\\u000a\\u0001é€😀\",\"number\":-12,\"zero\":0,"
                                + "\"half\":0.5,\"whole\":3,\"nan\":null,\"flag\":true,"
                                + "\"none\":null,\"nothing\":null,"
                                + "\"at\":\"2025-01-02T03:04:05.678901Z\",\"list\":[\"a\",\"b\"],"
                                + "\"map\":{\"k ü\":\"v\"},\"nested\":[{},[],1]}");
    }

    @Test
    void anyTextComesBackAsItWas() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        var random = new Random(seed);
        var mapper = new ObjectMapper();
        for (int round = 0; round < 2000; round++) {
            String text = text(random);
            long number = random.nextLong() >> random.nextInt(64);
            var out = new JsonOutput().object().field("t", text).field("n", number).endObject();

            JsonNode read = mapper.readTree(out.toBytes());
            assertThat(read.get("t").asText()).as("seed %d", seed).isEqualTo(text);
            assertThat(read.get("n").asLong()).as("seed %d", seed).isEqualTo(number);
        }
    }

    @Test
    void halfASurrogatePairDoesNotBreakTheBytes() {
        byte[] bytes = new JsonOutput().value("a\uD800b").toBytes();

        assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("\"a\uFFFDb\"\n");
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(30); i > 0; i--) {
            int point =
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x20);
                        case 1 -> 0x20 + random.nextInt(0x60);
                        case 2 -> 0x80 + random.nextInt(0x7000);
                        default -> 0x10000 + random.nextInt(0xFFFF);
                    };
            text.appendCodePoint(point);
        }
        return text.toString();
    }
}
