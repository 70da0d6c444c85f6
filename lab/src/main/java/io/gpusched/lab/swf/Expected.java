package io.gpusched.lab.swf;

import io.gpusched.sim.trace.BadTrace;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// Published values, read from `expected_sequences.csv` where it lies beside the trace.
public final class Expected {
    private static final String NAME = "expected_sequences.csv";
    private static final int COLUMNS = 9;

    private final Map<String, Double> values = new LinkedHashMap<>();

    private Expected() {}

    /// Empty where there is no such file.
    public static Expected beside(Path trace) {
        var expected = new Expected();
        Path file = trace.toAbsolutePath().resolveSibling(NAME);
        if (!Files.exists(file)) {
            return expected;
        }
        try {
            for (String line : Files.readAllLines(file)) {
                int last = line.lastIndexOf(',');
                if (line.split(",", -1).length == COLUMNS && !line.startsWith("trace,")) {
                    expected.values.put(
                            line.substring(0, last), Double.valueOf(line.substring(last + 1)));
                }
            }
        } catch (IOException | NumberFormatException e) {
            throw new BadTrace("%s cannot be read: %s".formatted(file, e.getMessage()));
        }
        return expected;
    }

    /// The value of a row, all but its last cell; null where there is none.
    public @Nullable Double of(String row) {
        return values.get(row);
    }
}
