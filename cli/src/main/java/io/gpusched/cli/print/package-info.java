/// Output of the CLI: tables, details, JSON, YAML and bare ids.
///
/// Read `Printer` first. It decides by `OutputFormat` alone; a command passes the server's answer
/// and a `TableLayout` that selects the columns. Nothing here knows where an answer came from.
///
///     printer.list(answer, answer.at("jobs").items(), JobTables.list(now));
@NullMarked
package io.gpusched.cli.print;

import org.jspecify.annotations.NullMarked;
