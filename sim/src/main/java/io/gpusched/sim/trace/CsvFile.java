package io.gpusched.sim.trace;

import io.gpusched.core.model.Check;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A CSV file of which every row must be right: a cluster with some nodes missing is another
/// cluster, and a table of expected results with some rows missing proves less than it seems to.
///
/// No cell of these files has a comma.
public final class CsvFile {
    /// The cells of one row, by the names in the first line. A cell that is not what it should be
    /// is an `IllegalArgumentException`, which [CsvFile#rows] turns into a message with file and
    /// line.
    public static final class Row {
        private final Columns columns;
        private final String[] cells;

        private Row(Columns columns, String line) {
            this.columns = columns;
            this.cells = line.split(",", -1);
        }

        /// Empty where the file has no such column.
        public String text(String column) {
            return columns.cell(cells, column);
        }

        /// A finite number.
        public double number(String column) {
            double number = Double.parseDouble(text(column));
            if (!Double.isFinite(number)) {
                throw new IllegalArgumentException(column + " is not a finite number");
            }
            return number;
        }

        /// A finite number; `NaN` where the cell is empty.
        public double numberOrNone(String column) {
            return text(column).isEmpty() ? Double.NaN : number(column);
        }

        /// A whole number from `least` to `most`.
        public int whole(String column, int least, int most) {
            int number = Integer.parseInt(text(column));
            if (number < least || number > most) {
                throw new IllegalArgumentException(
                        column + " is not a number from " + least + " to " + most);
            }
            return number;
        }
    }

    private CsvFile() {}

    /// Reads every row, at least one.
    ///
    /// @param what the kind of file this should be, for people
    /// @param needed columns that must be there, in any order
    public static <T> List<T> rows(
            Path file, String what, List<String> needed, Function<Row, T> read) {
        String form = String.join(",", needed);
        try (TextLines textLines = TextLines.open(file, what + ", a CSV file with " + form)) {
            var columns = new Columns(textLines, needed);
            var rows = new ArrayList<T>();
            for (String line = textLines.next(); line != null; line = textLines.next()) {
                try {
                    rows.add(read.apply(new Row(columns, line)));
                } catch (IllegalArgumentException
                        | IndexOutOfBoundsException
                        | ArithmeticException
                        | DateTimeException
                        | Check.Broken wrong) {
                    throw new BadTrace(
                            "%s, line %d: expected %s, found %s (%s); correct this line"
                                    .formatted(
                                            textLines.file(),
                                            textLines.number(),
                                            form,
                                            Excerpt.of(line),
                                            TraceJobs.why(wrong)));
                }
            }
            if (rows.isEmpty()) {
                throw new BadTrace(
                        "%s has no rows; a file of %s needs rows of %s below the first line"
                                .formatted(textLines.file(), what, form));
            }
            return rows;
        }
    }
}
