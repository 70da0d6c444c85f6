package io.gpusched.cli.print;

import java.util.ArrayList;
import java.util.List;

/// Formats rows of text in aligned columns.
///
///     JOB ID  NAME      STATE
///     job-2   training  running
///     job-1   -         pending
///
/// An empty cell is a dash, so that `awk '{print $3}'` finds the third column. The last column has
/// no trailing blanks. Control characters are shown as question marks: job names come from other
/// users.
final class Table {
    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;

    Table(int columns) {
        this.widths = new int[columns];
    }

    void add(List<String> cells) {
        var row = cells.stream().map(CellText::printable).map(c -> c.isEmpty() ? "-" : c).toList();
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], length(row.get(i)));
        }
        rows.add(row);
    }

    List<String> lines(Paint paint) {
        return rows.stream().map(row -> line(row, paint)).toList();
    }

    private String line(List<String> row, Paint paint) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            boolean last = i == widths.length - 1;
            String cell = row.get(i);
            line.append(paint.over(cell))
                    .append(last ? "" : " ".repeat(widths[i] - length(cell) + 2));
        }
        return line.toString();
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
