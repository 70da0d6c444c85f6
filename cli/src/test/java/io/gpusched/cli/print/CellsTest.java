package io.gpusched.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.json.Json;

import org.junit.jupiter.api.Test;

final class CellsTest {
    private static final Json NIL = Json.Nil.NIL;

    @Test
    void timesLoseTheirFraction() {
        assertThat(Cells.time(Json.of("2025-03-01T12:00:00.123456Z")))
                .isEqualTo("2025-03-01T12:00:00Z");
        assertThat(Cells.time(Json.of("2025-03-01T12:00:00Z"))).isEqualTo("2025-03-01T12:00:00Z");
        assertThat(Cells.time(NIL)).isEmpty();
    }

    @Test
    void sizesTakeTheUnitThatFits() {
        assertThat(Cells.mebibytes(Json.of(512))).isEqualTo("512MiB");
        assertThat(Cells.mebibytes(Json.of(40_960))).isEqualTo("40GiB");
        assertThat(Cells.mebibytes(Json.of(40_000))).isEqualTo("39.1GiB");
        assertThat(Cells.mebibytes(NIL)).isEmpty();
    }

    @Test
    void spansTakeTwoUnitsAtMost() {
        assertThat(Cells.seconds(Json.of(45))).isEqualTo("45s");
        assertThat(Cells.seconds(Json.of(750))).isEqualTo("12m30s");
        assertThat(Cells.seconds(Json.of(3600))).isEqualTo("1h");
        assertThat(Cells.seconds(Json.of(11_100))).isEqualTo("3h5m");
        assertThat(Cells.seconds(Json.of(187_200))).isEqualTo("2d4h");
        assertThat(Cells.seconds(NIL)).isEmpty();
    }

    @Test
    void aMissingQuotaIsUnlimited() {
        assertThat(Cells.share(Json.of(3), Json.of(8))).isEqualTo("3/8");
        assertThat(Cells.share(Json.of(3), NIL)).isEqualTo("3/unlimited");
        assertThat(Cells.share(NIL, Json.of(8))).isEqualTo("0/8");
        assertThat(Cells.share(NIL, NIL)).isEmpty();
    }
}
