package io.gpusched.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.json.Json;

import org.junit.jupiter.api.Test;

final class CellTextTest {
    private static final Json NIL = Json.Nil.NIL;

    @Test
    void timesLoseTheirFraction() {
        assertThat(CellText.time(Json.of("2025-03-01T12:00:00.123456Z")))
                .isEqualTo("2025-03-01T12:00:00Z");
        assertThat(CellText.time(Json.of("2025-03-01T12:00:00Z")))
                .isEqualTo("2025-03-01T12:00:00Z");
        assertThat(CellText.time(NIL)).isEmpty();
    }

    @Test
    void sizesTakeTheUnitThatFits() {
        assertThat(CellText.mebibytes(Json.of(512))).isEqualTo("512MiB");
        assertThat(CellText.mebibytes(Json.of(40_960))).isEqualTo("40GiB");
        assertThat(CellText.mebibytes(Json.of(40_000))).isEqualTo("39.1GiB");
        assertThat(CellText.mebibytes(NIL)).isEmpty();
    }

    @Test
    void spansTakeTwoUnitsAtMost() {
        assertThat(CellText.seconds(Json.of(45))).isEqualTo("45s");
        assertThat(CellText.seconds(Json.of(750))).isEqualTo("12m30s");
        assertThat(CellText.seconds(Json.of(3600))).isEqualTo("1h");
        assertThat(CellText.seconds(Json.of(11_100))).isEqualTo("3h5m");
        assertThat(CellText.seconds(Json.of(187_200))).isEqualTo("2d4h");
        assertThat(CellText.seconds(NIL)).isEmpty();
    }

    @Test
    void aMissingQuotaIsUnlimited() {
        assertThat(CellText.share(Json.of(3), Json.of(8))).isEqualTo("3/8");
        assertThat(CellText.share(Json.of(3), NIL)).isEqualTo("3/unlimited");
        assertThat(CellText.share(NIL, Json.of(8))).isEqualTo("0/8");
        assertThat(CellText.share(NIL, NIL)).isEmpty();
    }
}
