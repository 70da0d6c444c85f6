/// What people and scripts see: tables, details, JSON, YAML and bare names.
///
/// Read `Printer` first. It decides by `OutputFormat` alone; a command hands over the server's
/// answer and says with a `TableLayout` what of it belongs into a table. Nothing here knows where
/// an answer came from.
///
///     printer.list(answer, answer.at("jobs").items(), Sheets.JOBS);
@NullMarked
package io.gpusched.cli.print;

import org.jspecify.annotations.NullMarked;
