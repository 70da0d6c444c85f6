package io.gpusched.sim.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

final class WhatIfTextTest {
    private static final Instant FROM = Instant.parse("2026-01-05T00:00:00Z");

    private static PeriodFigures.Group group(String name, double much) {
        return new PeriodFigures.Group(
                name, 12, 12, 12, much, much, much, much, much, 0, (long) much, 0, much, much, 1);
    }

    private static PeriodFigures figures(double much) {
        return new PeriodFigures(
                group("all", much), List.of(group("a", 1), group("team-with-a-name", much)), 1);
    }

    private static WhatIfResult whatIfResult() {
        var starts = new StartComparison.Summary(1, 0, 0, 0, 0, 0, List.of());
        return new WhatIfResult(
                0,
                FROM,
                FROM.plus(Duration.ofDays(1)),
                "fifo",
                "sjf",
                "best-fit",
                "best-fit",
                1,
                1,
                1,
                null,
                List.of("chat", "code"),
                0,
                starts,
                figures(123_456_789.5),
                figures(987_654_321.5));
    }

    @Test
    void theReaderIsToldThatPoolsKeptTheirRecordedSizes() {
        assertThat(WhatIfText.plain(whatIfResult()))
                .contains("pools         kept their recorded sizes: chat, code\n");
        assertThat(WhatIfText.json(whatIfResult()))
                .containsIgnoringWhitespaces("\"pools_at_recorded_sizes\": [\"chat\", \"code\"]");
    }

    /// Every arrow of a column stands in the same row of cells as its title, however long they are.
    @Test
    void columnsStandBelowTheirTitlesHoweverLongTheirCellsAre() {
        List<String> table =
                WhatIfText.plain(whatIfResult())
                        .lines()
                        .dropWhile(line -> !line.isEmpty())
                        .toList();
        String title = table.get(1);
        for (String column :
                List.of(
                        "wait mean",
                        "wait p90",
                        "completion mean",
                        "GPU hours",
                        "evictions",
                        "cost $",
                        "energy kWh")) {
            int at = title.indexOf(column);
            for (String row : table.subList(2, table.size())) {
                assertThat(row.substring(at - 2, at)).as("before %s of %s", column, row).isBlank();
                assertThat(row.charAt(at)).as("%s of %s", column, row).isNotEqualTo(' ');
            }
        }
        assertThat(table).hasSize(5);
        assertThat(table.getLast()).contains("123,456,789.5 → 987,654,321.5");
    }
}
