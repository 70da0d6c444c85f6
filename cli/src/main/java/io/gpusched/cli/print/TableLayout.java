package io.gpusched.cli.print;

import io.gpusched.cli.json.Json;

import java.util.List;

/// Describes how one kind of object is shown: its columns, and which field is its id.
///
/// @param names fields that may hold the id; the first one present counts
public record TableLayout(List<String> names, List<Column> columns) {

    public TableLayout {
        names = List.copyOf(names);
        columns = List.copyOf(columns);
    }

    /// The id of `row`; empty if it has none.
    public String name(Json row) {
        return row.firstOf(names.toArray(String[]::new)).text();
    }

    List<Column> shown(OutputFormat outputFormat) {
        return columns.stream()
                .filter(c -> outputFormat == OutputFormat.WIDE || !c.wide())
                .toList();
    }
}
