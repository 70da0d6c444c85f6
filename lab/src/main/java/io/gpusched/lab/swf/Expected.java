package io.gpusched.lab.swf;

import io.gpusched.sim.trace.CsvFile;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Published values, read from `expected_sequences.csv` where it lies beside the trace.
public final class Expected {
    private static final String NAME = "expected_sequences.csv";
    private static final List<String> COLUMNS = List.of(Table.HEADER.split(",", -1));

    private final Map<String, Double> values = new LinkedHashMap<>();

    private Expected() {}

    /// Empty where there is no such file.
    public static Expected beside(Path trace) {
        var expected = new Expected();
        Path file = trace.toAbsolutePath().resolveSibling(NAME);
        if (!Files.exists(file)) {
            return expected;
        }
        CsvFile.rows(file, "expected values of sequences", COLUMNS, expected::add);
        return expected;
    }

    private boolean add(CsvFile.Row row) {
        var key = new ArrayList<String>();
        COLUMNS.subList(0, COLUMNS.size() - 1).forEach(column -> key.add(row.text(column)));
        values.put(String.join(",", key), row.number(COLUMNS.getLast()));
        return true;
    }

    /// The value of a row, all but its last cell; null where there is none.
    public @Nullable Double of(String row) {
        return values.get(row);
    }
}
