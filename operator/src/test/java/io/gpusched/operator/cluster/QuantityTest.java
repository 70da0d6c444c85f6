package io.gpusched.operator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "4, 4, 4000",
        "500m, 1, 500",
        "1.5, 2, 1500",
        "0.0001, 1, 1",
        "2e3, 2000, 2000000",
        "1E2, 100, 100000",
        "1k, 1000, 1000000",
        "1Ki, 1024, 1024000",
        "1.5Gi, 1610612736, 1610612736000",
        "40Gi, 42949672960, 42949672960000",
        "0, 0, 0",
        "100u, 1, 1",
        "20E, 9223372036854775807, 9223372036854775807",
    })
    void amountsAreReadAndRoundedUp(String text, long units, long milli) {
        assertThat(Quantity.units(text)).isEqualTo(units);
        assertThat(Quantity.milli(text)).isEqualTo(milli);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "4 Gi", "Gi", "1gi", "1e999999999", "0x10", "NaN"})
    void everythingElseIsRefusedByItsText(String text) {
        assertThatThrownBy(() -> Quantity.units(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }
}
