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

    boolean isForPeople() {
        return this == TABLE || this == WIDE;
    }
}
