package io.gpusched.cli.print;

import io.gpusched.cli.json.Json;

import java.util.List;

/// Which facts of a kind of thing are shown, in which order, and which of its fields names it.
public record TableLayout(List<String> names, List<Column> columns) {

    public TableLayout {
        names = List.copyOf(names);
        columns = List.copyOf(columns);
    }

    /// The id of `row`, empty where it has none.
    public String name(Json row) {
        return row.firstOf(names.toArray(String[]::new)).text();
    }

    List<Column> shown(OutputFormat outputFormat) {
        return columns.stream()
                .filter(c -> outputFormat == OutputFormat.WIDE || !c.wide())
                .toList();
    }
}
