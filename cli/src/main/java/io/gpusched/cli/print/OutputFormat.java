package io.gpusched.cli.print;

/// The output format chosen with `-o`.
public enum OutputFormat {
    /// Columns for people.
    TABLE,
    /// The table with all columns.
    WIDE,
    /// The server's answer, indented.
    JSON,
    /// The server's answer, as YAML.
    YAML,
    /// One id per line, for the next command in a pipe.
    NAME;

    /// The format with this name; upper and lower case are equal.
    public static OutputFormat named(String text) {
        for (OutputFormat outputFormat : values()) {
            if (outputFormat.name().equalsIgnoreCase(text)) {
                return outputFormat;
            }
        }
        throw new IllegalArgumentException(
                "expected table, wide, json, yaml or name, found '" + text + "'");
    }

    boolean isForPeople() {
        return this == TABLE || this == WIDE;
    }
}
