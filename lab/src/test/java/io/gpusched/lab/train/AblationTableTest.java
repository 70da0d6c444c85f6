package io.gpusched.lab.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class AblationTableTest {
    @TempDir private Path folder;

    @Test
    void aRowHasTheMeanOverSeedsAndItsInterval() {
        var table = new AblationTable();
        table.add(cell("attn cdf", 1, 0.60));
        table.add(cell("attn cdf", 2, 0.62));
        table.add(cell("attn cdf", 3, 0.64));
        table.addBaseline(cell("SJF", 1, 0.53));
        table.addBaseline(cell("SJF", 2, 0.55));
        assertThat(table.lines())
                .containsExactly(
                        "attn cdf       | VAL 0.520 ± 0.050   | REPORT 0.620 ± 0.050   | by seed"
                                + " 0.600 0.620 0.640",
                        "SJF            | VAL 0.440           | REPORT 0.540           | by seed"
                                + " 0.530 0.550");
        assertThat(table.page("bin/lab ablate", "About.", true))
                .contains("| attn cdf | 0.520 ± 0.050 | 0.620 ± 0.050 |", "| 0.590 / 0.615 |")
                .contains("Written by `bin/lab ablate`");
        assertThat(table.page("bin/lab ablate", "About.", false)).doesNotContain("0.590 / 0.615");
    }

    @Test
    void theIntervalIsThatOfStudent() {
        // By hand: the standard deviation is 0.02, and t is 4.303.
        assertThat(StudentInterval.of(0.60, 0.62, 0.64).half())
                .isCloseTo(4.303 * 0.02 / Math.sqrt(3), within(1e-12));
        assertThat(StudentInterval.of(0.6).half()).isNaN();
        assertThat(StudentInterval.of(0.6)).hasToString("0.600");
    }

    @Test
    void aResultIsReadAsItWasWrittenAndOnlyForItsPlan() throws IOException {
        Path file = folder.resolve("cell.result");
        AblationCell cell = cell("mlp off", 2, 0.123456789);
        cell.write(file, "plan A");
        assertThat(AblationCell.read(file, "mlp off", 2, "plan A")).isEqualTo(cell);
        assertThatThrownBy(() -> AblationCell.read(file, "mlp off", 2, "plan B"))
                .isInstanceOf(BadRunFile.class)
                .hasMessageContaining("finished with other settings")
                .hasMessageContaining("choose another --runs");
        Files.write(file, List.of("plan: plan A", "validation mean: x", "", "", ""));
        assertThatThrownBy(() -> AblationCell.read(file, "mlp off", 2, "plan A"))
                .hasMessageContaining(":2: expected validation mean and a number");
    }

    private static AblationCell cell(String row, long seed, double report) {
        return new AblationCell(
                row,
                seed,
                new AblationCell.Score(report - 0.1, 0.01),
                new AblationCell.Score(report, 0.02));
    }
}
