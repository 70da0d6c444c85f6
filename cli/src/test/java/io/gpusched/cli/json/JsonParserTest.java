package io.gpusched.cli.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonParserTest {

    @Test
    void everyKindOfValueIsRead() {
        Json read =
                JsonParser.read(
                        """
                        { "text": "a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00", "whole": -12,
                          "decimal": 1.50e+3, "yes": true, "no": false, "none": null,
                          "items": [1, [], {}], "": 0 }
                        """);

        assertThat(read.at("text").text()).isEqualTo("a\"\\/\b\f\n\r\tä😀");
        assertThat(read.at("whole").number(0)).isEqualTo(-12);
        assertThat(read.at("decimal")).isEqualTo(new Json.Num("1.50e+3"));
        assertThat(read.at("decimal").number(0)).isEqualTo(1500);
        assertThat(read.at("yes")).isEqualTo(Json.of(true));
        assertThat(read.at("no")).isEqualTo(Json.of(false));
        assertThat(read.at("none").isNil()).isTrue();
        assertThat(read.at("items").items()).hasSize(3);
        assertThat(read.at("").number(1)).isZero();
    }

    @Test
    void whatIsAbsentIsNilAndNothingBreaks() {
        Json read = JsonParser.read("{\"a\":null,\"b\":7}");

        assertThat(read.at("x").at("y").items()).isEmpty();
        assertThat(read.at("x").text()).isEmpty();
        assertThat(read.at("x").number(5)).isEqualTo(5);
        assertThat(read.firstOf("a", "b").text()).isEqualTo("7");
        assertThat(JsonParser.read("1e400").number(5)).isEqualTo(5);
        assertThat(JsonParser.read("99999999999999999999").number(5)).isEqualTo(5);
    }

    @Test
    void anErrorNamesPlaceAndCause() {
        assertThatThrownBy(() -> JsonParser.read("{\n  \"a\": 1,\n  \"b\" 2\n}"))
                .isInstanceOf(JsonFault.class)
                .hasMessage("line 3, column 7: expected ':', found '2'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1,",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":2}",
                "{a:1}",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "+1",
                "tru",
                "nul",
                "True",
                "\"a",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u12\"",
                "\"\n\"",
                "1 2",
                "[1 2]",
                "{\"a\" 1}",
                "{\"a\":}",
                "'a'",
                "NaN",
                "Infinity",
                "//x",
                "\u00a0",
                "[\"\\u０041\"]"
            })
    void whatIsNotJsonIsRefused(String text) {
        assertThatThrownBy(() -> JsonParser.read(text)).isInstanceOf(JsonFault.class);
    }

    @Test
    void nestingHasAnEnd() {
        String deep = "[".repeat(JsonParser.DEPTH) + "]".repeat(JsonParser.DEPTH);

        assertThat(JsonParser.read(deep).items()).hasSize(1);
        assertThatThrownBy(() -> JsonParser.read("[" + deep + "]"))
                .isInstanceOf(JsonFault.class)
                .hasMessageContaining("100 levels of nesting");
        assertThatThrownBy(() -> JsonParser.read("[".repeat(1_000_000)))
                .isInstanceOf(JsonFault.class);
    }

    @Test
    void nestingIsCountedPerPathAndNotPerDocument() {
        String wide = "[" + "[[]],".repeat(1000) + "[]]";

        assertThat(JsonParser.read(wide).items()).hasSize(1001);
    }
}
