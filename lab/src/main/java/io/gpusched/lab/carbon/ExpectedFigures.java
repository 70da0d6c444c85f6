package io.gpusched.lab.carbon;

import io.gpusched.sim.trace.CsvFile;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Published or otherwise known figures, to compare ours with.
public final class ExpectedFigures {
    /// The file that holds them, beside the intensity.
    public static final String NAME = "lwa_expected.csv";

    private static final List<String> COLUMNS =
            List.of(
                    "region",
                    "strategy",
                    "variant",
                    "forecast_error",
                    "replica_value",
                    "published_value");

    /// @param published empty where nothing was
    private record Row(String found, String published) {}

    private final Map<String, Row> rows = new HashMap<>();

    private ExpectedFigures() {}

    /// Null when there is no such file beside the given one.
    public static @Nullable ExpectedFigures beside(Path intensity) {
        Path file = intensity.resolveSibling(NAME);
        if (!Files.exists(file)) {
            return null;
        }
        var expectedFigures = new ExpectedFigures();
        CsvFile.rows(file, "expected figures", COLUMNS, expectedFigures::add);
        return expectedFigures;
    }

    private boolean add(CsvFile.Row row) {
        row.numberOrNone("replica_value");
        row.numberOrNone("published_value");
        var key = new ArrayList<String>();
        COLUMNS.subList(0, 4).forEach(column -> key.add(row.text(column)));
        rows.put(
                String.join(",", key),
                new Row(row.text("replica_value"), row.text("published_value")));
        return true;
    }

    /// What was published; empty where nothing was.
    public String published(CarbonFigure carbonFigure) {
        Row row = rows.get(carbonFigure.key());
        return row == null ? "" : row.published;
    }

    /// The figure of another program; empty where there is none.
    public String found(CarbonFigure carbonFigure) {
        Row row = rows.get(carbonFigure.key());
        return row == null ? "" : row.found;
    }

    public boolean knows(CarbonFigure carbonFigure) {
        return rows.containsKey(carbonFigure.key());
    }

    /// Whether all digits that are expected agree.
    public boolean agrees(CarbonFigure carbonFigure) {
        return isShownAs(carbonFigure, found(carbonFigure))
                && isShownAs(carbonFigure, published(carbonFigure));
    }

    private static boolean isShownAs(CarbonFigure carbonFigure, String expected) {
        int point = expected.indexOf('.');
        int places = point < 0 ? 0 : expected.length() - point - 1;
        return expected.isEmpty() || carbonFigure.shown(places).equals(expected);
    }

    /// In words, for those that do not agree.
    public List<String> differences(List<CarbonFigure> figures) {
        var all = new ArrayList<String>();
        for (CarbonFigure carbonFigure : figures) {
            if (knows(carbonFigure) && !agrees(carbonFigure)) {
                all.add(
                        "%s: expected %s %s, found %s"
                                .formatted(
                                        carbonFigure.key(),
                                        found(carbonFigure),
                                        published(carbonFigure),
                                        carbonFigure.shown(4)));
            }
        }
        return all;
    }
}
