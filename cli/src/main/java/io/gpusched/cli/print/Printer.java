package io.gpusched.cli.print;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonWriter;
import io.gpusched.cli.json.YamlWriter;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Supplier;

/// Writes answers to standard output in the format asked for, and remarks to standard error, so
/// that a pipe only ever sees answers.
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

    /// Many things: a table for people, the whole answer for machines, ids for pipes.
    public void list(Json answer, List<Json> rows, TableLayout tableLayout) {
        switch (outputFormat) {
            case TABLE, WIDE -> table(rows, tableLayout.shown(outputFormat));
            case NAME -> rows.forEach(row -> line(tableLayout.name(row)));
            case JSON, YAML -> document(answer);
        }
    }

    /// One thing: a line per fact that it has.
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

    /// Something done: sentences for people, the answer for machines, the id for pipes.
    public void done(Json answer, String id, Supplier<List<String>> sentences) {
        switch (outputFormat) {
            case TABLE, WIDE -> sentences.get().forEach(this::line);
            case NAME -> line(id);
            case JSON, YAML -> document(answer);
        }
    }

    /// Whether answers are read by people.
    public boolean isForPeople() {
        return outputFormat.isForPeople();
    }

    /// A line below a table, for people only: a script that takes no titles takes no totals.
    public void below(String text) {
        if (outputFormat.isForPeople() && headers) {
            line(text);
        }
    }

    /// A second table under a detail, with an empty line and a title before it.
    public void also(String title, List<Json> rows, TableLayout tableLayout) {
        if (outputFormat.isForPeople() && !rows.isEmpty()) {
            line("");
            line(title);
            table(rows, tableLayout.shown(outputFormat));
        }
    }

    public void line(String text) {
        out.println(text.isEmpty() ? text : CellText.tame(text));
    }

    /// A remark beside the answer, for example a warning or progress.
    public void remark(String text) {
        err.println(CellText.tame(text));
    }

    /// Clears the screen of a terminal before the next picture; elsewhere leaves a gap.
    public void nextPicture() {
        out.print(paint == Paint.COLOUR ? "\033[H\033[2J" : "\n");
        out.flush();
    }

    /// Lets everything written so far be seen now, before a long wait.
    public void flush() {
        out.flush();
    }

    /// Where raw bytes go, for logs.
    public PrintStream raw() {
        return out;
    }

    /// True once nobody reads what we write any more.
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
            String value = CellText.tame(column.cell().apply(thing));
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
