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
public final class Expectation {
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

    private Expectation() {}

    /// Null when there is no such file beside the given one.
    public static @Nullable Expectation beside(Path intensity) {
        Path file = intensity.resolveSibling(NAME);
        if (!Files.exists(file)) {
            return null;
        }
        var expectation = new Expectation();
        CsvFile.rows(file, "expected figures", COLUMNS, expectation::add);
        return expectation;
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
    public String published(Figure figure) {
        Row row = rows.get(figure.key());
        return row == null ? "" : row.published;
    }

    /// The figure of another program; empty where there is none.
    public String found(Figure figure) {
        Row row = rows.get(figure.key());
        return row == null ? "" : row.found;
    }

    public boolean knows(Figure figure) {
        return rows.containsKey(figure.key());
    }

    /// Whether all digits that are expected agree.
    public boolean agrees(Figure figure) {
        return isShownAs(figure, found(figure)) && isShownAs(figure, published(figure));
    }

    private static boolean isShownAs(Figure figure, String expected) {
        int point = expected.indexOf('.');
        int places = point < 0 ? 0 : expected.length() - point - 1;
        return expected.isEmpty() || figure.shown(places).equals(expected);
    }

    /// In words, for those that do not agree.
    public List<String> differences(List<Figure> figures) {
        var all = new ArrayList<String>();
        for (Figure figure : figures) {
            if (knows(figure) && !agrees(figure)) {
                all.add(
                        "%s: expected %s %s, found %s"
                                .formatted(
                                        figure.key(),
                                        found(figure),
                                        published(figure),
                                        figure.shown(4)));
            }
        }
        return all;
    }
}
