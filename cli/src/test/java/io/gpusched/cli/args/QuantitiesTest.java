package io.gpusched.cli.args;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

final class QuantitiesTest {

    @ParameterizedTest
    @CsvSource({
        "40000, 40000", "40Gi, 40960", "40GiB, 40960", "40GB, 40000", "40g, 40000", "512Mi, 512",
        "512MB, 512", "1Ti, 1048576", "1.5Gi, 1536", "0.0001Gi, 1", "0, 0", "16 GB, 16000"
    })
    void memoryIsReadInTheUnitsPeopleUse(String text, long megabytes) {
        assertThat(Quantities.megabytes(text)).isEqualTo(megabytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Gi", "40X", "-1", "1..5Gi", "1e3", "9999999999999999Gi", "4 0"})
    void invalidMemoryIsReported(String text) {
        assertThatThrownBy(() -> Quantities.megabytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "expected megabytes or a size such as 40Gi, 40GB or 512Mi, found '%s'",
                        text);
    }

    @ParameterizedTest
    @CsvSource({
        "90, PT90M",
        "2h30m, PT2H30M",
        "45s, PT45S",
        "1d, PT24H",
        "1d2h3m4s, PT26H3M4S",
        "0, PT0S",
        "30:15, PT30M15S",
        "1:00:00, PT1H",
        "90:00, PT90M",
        "2-12, PT60H",
        "2-12:00, PT60H",
        "2-12:30:15, PT60H30M15S",
        "999999999d, PT23999999976H"
    })
    void timesAreReadInTheUnitsPeopleUse(String text, Duration span) {
        assertThat(Quantities.span(text)).isEqualTo(span);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "h",
                "2h30",
                "30m2h",
                "1h1h",
                "-5",
                "2x",
                "9999999999",
                "1.5h",
                "1:",
                ":5",
                "1:2:3:4",
                "2-",
                "1-2-3",
                "1h:30"
            })
    void invalidTimesAreReported(String text) {
        assertThatThrownBy(() -> Quantities.span(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "expected minutes or a time such as 2h30m, 45s, 1:00:00 or 2-12:00,"
                                + " found '%s'",
                        text);
    }
}
