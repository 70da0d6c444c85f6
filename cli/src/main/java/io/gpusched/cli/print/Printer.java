package io.gpusched.cli.print;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonWriter;
import io.gpusched.cli.json.YamlWriter;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/// Writes answers to standard output in the chosen format, and remarks to standard error, so that a
/// pipe receives answers only.
public final class Printer {
    private final PrintStream out;
    private final PrintStream err;
    private final OutputFormat outputFormat;
    private final boolean headers;
    private final Paint paint;

    public Printer(
            PrintStream out,
            PrintStream err,
            OutputFormat outputFormat,
            boolean headers,
            Paint paint) {
        this.out = out;
        this.err = err;
        this.outputFormat = outputFormat;
        this.headers = headers;
        this.paint = paint;
    }

    /// Several objects: a table, the whole answer as JSON or YAML, or one id per line.
    public void list(Json answer, List<Json> rows, TableLayout tableLayout) {
        switch (outputFormat) {
            case TABLE, WIDE -> table(rows, tableLayout.shown(outputFormat));
            case NAME -> rows.forEach(row -> line(tableLayout.name(row)));
            case JSON, YAML -> document(answer);
        }
    }

    /// One object: one line for each field that it has.
    public void detail(Json answer, TableLayout tableLayout) {
        switch (outputFormat) {
            case TABLE, WIDE -> facts(answer, tableLayout.shown(outputFormat));
            case NAME -> {
                if (!tableLayout.name(answer).isEmpty()) {
                    line(tableLayout.name(answer));
                }
            }
            case JSON, YAML -> document(answer);
        }
    }

    /// The result of an action: sentences, the answer as JSON or YAML, or the id.
    public void done(Json answer, String id, Supplier<List<String>> sentences) {
        switch (outputFormat) {
            case TABLE, WIDE -> sentences.get().forEach(this::line);
            case NAME -> line(id);
            case JSON, YAML -> document(answer);
        }
    }

    /// One object of a list that has no end: a line, the object as JSON on one line or as a YAML
    /// document, or the id.
    public void item(Json item, String id, Supplier<String> line) {
        switch (outputFormat) {
            case TABLE, WIDE -> line(line.get());
            case NAME -> line(id);
            case JSON -> out.println(JsonWriter.onOneLine(item));
            case YAML -> out.print("---\n" + YamlWriter.write(item));
        }
        out.flush();
    }

    /// Whether the output is for people and not for programs.
    public boolean isForPeople() {
        return outputFormat.isForPeople();
    }

    /// A line below a table, only for people: a script that omits headers also omits totals.
    public void below(String text) {
        if (outputFormat.isForPeople() && headers) {
            line(text);
        }
    }

    /// A second table below a detail, after an empty line and a title.
    public void also(String title, List<Json> rows, TableLayout tableLayout) {
        if (outputFormat.isForPeople() && !rows.isEmpty()) {
            line("");
            line(title);
            table(rows, tableLayout.shown(outputFormat));
        }
    }

    public void line(String text) {
        out.println(text.isEmpty() ? text : CellText.printable(text));
    }

    /// A message on standard error, for example a warning or progress.
    public void remark(String text) {
        err.println(CellText.printable(text));
    }

    /// Clears the terminal before the next screen of `--watch`; in a pipe prints an empty line.
    public void nextScreen() {
        out.print(paint == Paint.COLOUR ? "\033[H\033[2J" : "\n");
        out.flush();
    }

    /// Makes everything written so far visible before a long wait.
    public void flush() {
        out.flush();
    }

    /// The raw byte stream, for logs.
    public PrintStream raw() {
        return out;
    }

    /// True once the reader of standard output has closed it.
    public boolean isClosed() {
        return out.checkError();
    }

    private void table(List<Json> rows, List<Column> columns) {
        var table = new Table(columns.size());
        if (headers) {
            table.add(columns.stream().map(Column::title).toList());
        }
        rows.forEach(row -> table.add(columns.stream().map(c -> c.cell().apply(row)).toList()));
        table.lines(paint).forEach(out::println);
    }

    private void facts(Json thing, List<Column> columns) {
        int width = columns.stream().mapToInt(c -> c.title().length()).max().orElse(0);
        for (Column column : columns) {
            String value = CellText.printable(column.cell().apply(thing));
            if (!value.isEmpty()) {
                String label = column.title() + ":";
                out.println(label + " ".repeat(width + 3 - label.length()) + paint.over(value));
            }
        }
    }

    private void document(Json answer) {
        if (outputFormat == OutputFormat.JSON) {
            out.println(JsonWriter.indented(answer));
        } else {
            out.print(YamlWriter.write(answer));
        }
    }
}
