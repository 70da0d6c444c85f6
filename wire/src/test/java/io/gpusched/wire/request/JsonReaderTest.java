package io.gpusched.wire.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

final class JsonReaderTest {
    private final JsonReader reader = new JsonReader(10_000);

    @Test
    void everyKindOfValueIsReadInOrder() {
        var expected = new LinkedHashMap<String, JsonTree>();
        expected.put("z", new JsonTree.Text("größer 🚀"));
        expected.put("a", new JsonTree.Whole(-3));
        expected.put("f", new JsonTree.Fraction(1.5));
        expected.put("w", new JsonTree.Whole(4));
        expected.put("h", new JsonTree.Huge("99999999999999999999"));
        expected.put("e", new JsonTree.Huge("1e400"));
        expected.put("t", new JsonTree.Flag(true));
        expected.put("n", new JsonTree.Nothing());
        expected.put(
                "l",
                new JsonTree.Items(List.of(new JsonTree.Whole(1), new JsonTree.Items(List.of()))));
        assertThat(
                        read(
                                """
                                {"z": "größer \\ud83d\\ude80", "a": -3, "f": 1.5, "w": 4.0,
                                 "h": 99999999999999999999, "e": 1e400, "t": true, "n": null,
                                 "l": [1, []]}
                                """))
                .isEqualTo(new JsonTree.Mapping(expected));
    }

    @Test
    void invalidJsonIsRefusedWithItsPlace() {
        refuses("", "found nothing");
        refuses("{\"a\": 1,}", "line 1, column");
        refuses("{\"a\": NaN}", "not valid JSON");
        refuses("{\"a\": Infinity}", "not valid JSON");
        refuses("{'a': 1}", "not valid JSON");
        refuses("{\"a\": 1} {}", "unexpected text after");
        refuses("{\"a\": 1, \"a\": 2}", "the key \"a\" is repeated");
        refuses("{\"a\": {\"b\": 1, \"b\": 1}}", "the key \"b\" is repeated");
        refuses("{\"a\": \"\\ud800\"}", "surrogate");
        refuses("[".repeat(100), "not valid JSON");
        refuses("{\"a\": " + "9".repeat(100) + "}", "not valid JSON");
        refuses("// no\n{}", "not valid JSON");
    }

    /// The library names its classes and settings in messages, which mean nothing to a client.
    @Test
    void messagesNameNoClassesAndSettings() {
        for (String bad :
                List.of(
                        "{\"a\": [1, 2",
                        "{\"a\": \"open",
                        "[".repeat(100),
                        "{\"a\": " + "9".repeat(100) + "}",
                        "{\"" + "k".repeat(2000) + "\": 1}",
                        "{\"a\": \"\\x\"}",
                        "{\"a\": tru}",
                        "{\"a\": 01}",
                        "{\"a\": \"tab\there\"}",
                        "{\"a\" 1}",
                        "{a: 1}",
                        "{\"a\": NaN}",
                        "{\"a\": -Infinity}",
                        "{\"a\": +1}",
                        "{\"a\": .5}",
                        "{'a': 1}",
                        "// no",
                        "\u0000")) {
            assertThatExceptionOfType(MalformedException.class)
                    .isThrownBy(() -> read(bad))
                    .satisfies(
                            e ->
                                    assertThat(e.says())
                                            .doesNotContain("Source")
                                            .doesNotContain("Stream")
                                            .doesNotContain("Feature")
                                            .doesNotContain("`")
                                            .doesNotContain("VALUE_")
                                            .doesNotContain("REDACTED"));
        }
    }

    @Test
    void theFieldThatIsNotJsonIsNamed() {
        names("a", "{\"a\": NaN}");
        names("b", "{\"a\": 1, \"b\": tru}");
        names("a", "{\"a\": \"\\x\"}");
        names("a", "{\"b\": 1, \"a\": 2, \"a\": 3}");
        names("a.b", "{\"a\": {\"c\": [1], \"b\": 1, \"b\": 1}}");
        names("a[2].b", "{\"a\": [1, [], {\"b\": -Infinity}]}");
        names("a[1]", "{\"a\": [1, NaN]}");
        names("[0]", "[NaN]");
    }

    /// The field before the error is not the invalid one.
    @Test
    void whatIsInNoFieldNamesNone() {
        names("", "{\"a\": 1, b: 2}");
        names("", "{\"a\": [1] x");
        names("", "{\"a\": {\"b\": 1}} 2");
        names("", "NaN");
        names("", "");
    }

    @Test
    void theBoundThatWasExceededIsNamed() {
        refuses("[".repeat(100), "nesting depth (33) exceeds the maximum allowed (32)");
    }

    @Test
    void aTooLargeRequestIsMarked() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> read(" ".repeat(10_001)))
                .matches(MalformedException::tooLarge)
                .withMessage("expected at most 10000 bytes, found 10001");
    }

    @Test
    void aValueThatIsNotAnObjectIsRefused() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> reader.readObject("[1]".getBytes(StandardCharsets.UTF_8)))
                .withMessageContaining("expected a JSON object");
    }

    @Test
    void noiseIsReadOrRefusedAndNothingWorse() {
        String valid =
                """
                {"name": "a\\n\\u00e9", "gpu_count": 4, "labels": {"x": [1, 2.5e3, null, true]}}
                """;
        for (long seed = 0; seed < 3000; seed++) {
            var random = new Random(seed);
            byte[] bytes = valid.getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(5); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                reader.read(bytes);
            } catch (MalformedException refused) {
                assertThat(refused.says()).as("seed %s", seed).isNotBlank();
            } catch (RuntimeException other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
    }

    private JsonTree read(String json) {
        return reader.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private void names(String field, String json) {
        assertThatExceptionOfType(MalformedException.class)
                .as(json)
                .isThrownBy(() -> read(json))
                .satisfies(e -> assertThat(e.field()).isEqualTo(field));
    }

    private void refuses(String json, String why) {
        assertThatExceptionOfType(MalformedException.class)
                .as(json)
                .isThrownBy(() -> read(json))
                .withMessageContaining(why);
    }
}
