package io.gpusched.sim.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where the columns of a CSV file are, by its first line. No cell of these traces has a comma.
final class Columns {
    private final Map<String, Integer> at = new LinkedHashMap<>();

    /// Reads the first line.
    ///
    /// @param needed columns that must be there, in any order
    Columns(TextLines textLines, List<String> needed) {
        String header = textLines.next();
        if (header == null) {
            throw new BadTrace(
                    "%s is empty; expected a first line with the columns %s"
                            .formatted(textLines.file(), String.join(",", needed)));
        }
        String[] names = header.split(",", -1);
        for (int i = 0; i < names.length; i++) {
            at.put(names[i].strip(), i);
        }
        var missing = new ArrayList<>(needed);
        missing.removeAll(at.keySet());
        if (!missing.isEmpty()) {
            throw new BadTrace(
                    "%s, line %d: expected the columns %s, found %s; add the missing ones: %s"
                            .formatted(
                                    textLines.file(),
                                    textLines.number(),
                                    String.join(",", needed),
                                    Excerpt.of(header),
                                    String.join(", ", missing)));
        }
    }

    /// The cell of a column; empty where the file has no such column.
    String cell(String[] cells, String name) {
        Integer index = at.get(name);
        if (index == null) {
            return "";
        }
        if (index >= cells.length) {
            throw new IllegalArgumentException("there is no cell for " + name);
        }
        return cells[index].strip();
    }
}
