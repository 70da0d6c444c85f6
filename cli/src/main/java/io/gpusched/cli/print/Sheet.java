package io.gpusched.cli.print;

import io.gpusched.cli.json.Json;

import java.util.List;

/// Which facts of a kind of thing are shown, in which order, and which of its fields names it.
public record Sheet(List<String> names, List<Column> columns) {

    public Sheet {
        names = List.copyOf(names);
        columns = List.copyOf(columns);
    }

    /// The id of `row`, empty where it has none.
    public String name(Json row) {
        return row.firstOf(names.toArray(String[]::new)).text();
    }

    List<Column> shown(Format format) {
        return columns.stream().filter(c -> format == Format.WIDE || !c.wide()).toList();
    }
}
