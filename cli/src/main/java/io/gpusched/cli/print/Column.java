package io.gpusched.cli.print;

import io.gpusched.cli.json.Json;

import java.util.function.Function;

/// One column of a table, or one line of a detail: a title, and how the value is formatted.
///
/// @param wide whether the column is shown only with `-o wide`
public record Column(String title, Function<Json, String> cell, boolean wide) {

    /// A column that shows one field as it is.
    public static Column of(String title, String field) {
        return new Column(title, row -> row.at(field).text(), false);
    }

    public static Column of(String title, Function<Json, String> cell) {
        return new Column(title, cell, false);
    }

    public Column onlyWide() {
        return new Column(title, cell, true);
    }
}
