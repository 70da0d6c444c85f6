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
public final class PublishedValues {
    private static final String NAME = "expected_sequences.csv";
    private static final List<String> COLUMNS = List.of(SequenceTable.HEADER.split(",", -1));

    private final Map<String, Double> values = new LinkedHashMap<>();

    private PublishedValues() {}

    /// Empty where there is no such file.
    public static PublishedValues beside(Path trace) {
        var publishedValues = new PublishedValues();
        Path file = trace.toAbsolutePath().resolveSibling(NAME);
        if (!Files.exists(file)) {
            return publishedValues;
        }
        CsvFile.rows(file, "expected values of sequences", COLUMNS, publishedValues::add);
        return publishedValues;
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
