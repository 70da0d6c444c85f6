package io.gpusched.cli.print;

/// How to write an answer down, as asked for with `-o`.
public enum Format {
    /// Columns for people.
    TABLE,
    /// The same with every column.
    WIDE,
    /// The server's answer, indented.
    JSON,
    /// The server's answer, as YAML.
    YAML,
    /// One id per line, for the next command in a pipe.
    NAME;

    /// The format of that name, in any case of letters.
    public static Format named(String text) {
        for (Format format : values()) {
            if (format.name().equalsIgnoreCase(text)) {
                return format;
            }
        }
        throw new IllegalArgumentException(
                "expected table, wide, json, yaml or name, found '" + text + "'");
    }

    boolean isForPeople() {
        return this == TABLE || this == WIDE;
    }
}
