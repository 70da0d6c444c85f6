package io.gpusched.lab.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The columns of a training log. A number that is missing is `NaN`.
public final class TrainingCurve {
    private static final List<String> NEEDED =
            List.of("update", "timesteps", "mean_ep_return", "loss");
    private static final String EVALUATION = "eval_mean_return";

    /// A point of a curve; both are finite numbers.
    record Point(double steps, double value) {}

    private final Map<String, double[]> columns;
    private final int rows;

    private TrainingCurve(Map<String, double[]> columns, int rows) {
        this.columns = columns;
        this.rows = rows;
    }

    /// Throws [BadRunFile] if the file is not a training log.
    public static TrainingCurve read(Path file) throws IOException {
        return parse(file.toString(), Files.readAllLines(file));
    }

    static TrainingCurve parse(String name, List<String> lines) {
        List<String> titles =
                lines.isEmpty() ? List.of() : List.of(lines.getFirst().strip().split(",", -1));
        for (String title : NEEDED) {
            if (!titles.contains(title)) {
                throw new BadRunFile(
                        "%s: expected the columns %s, found no column %s; give the CSV file of a"
                                        .formatted(name, String.join(", ", NEEDED), title)
                                + " training run");
            }
        }
        int rows = lines.size() - 1;
        Map<String, double[]> columns = new LinkedHashMap<>();
        titles.forEach(title -> columns.put(title, new double[rows]));
        for (int row = 0; row < rows; row++) {
            String[] cells = lines.get(row + 1).split(",", -1);
            if (cells.length != titles.size()) {
                throw new BadRunFile(
                        "%s:%d: expected %d cells, found %d"
                                .formatted(name, row + 2, titles.size(), cells.length));
            }
            for (int i = 0; i < cells.length; i++) {
                double number = number(name, row + 2, titles.get(i), cells[i].strip());
                column(columns, titles.get(i))[row] = number;
            }
        }
        if (rows == 0) {
            throw new BadRunFile(name + ": the training run has not finished an update yet");
        }
        return new TrainingCurve(columns, rows);
    }

    private static double number(String name, int line, String title, String cell) {
        if (cell.isEmpty() || cell.equalsIgnoreCase("nan")) {
            return Double.NaN;
        }
        try {
            return Double.parseDouble(cell);
        } catch (NumberFormatException wrong) {
            throw new BadRunFile(
                    "%s:%d: column %s: expected a number or nan, found %s"
                            .formatted(name, line, title, cell));
        }
    }

    private static double[] column(Map<String, double[]> columns, String title) {
        double[] column = columns.get(title);
        return column == null ? new double[0] : column;
    }

    /// The mean return of the episodes that ended in an update.
    List<Point> returns() {
        return points("mean_ep_return");
    }

    /// The mean returns of evaluations; none if there was no evaluation.
    List<Point> evaluations() {
        return points(EVALUATION);
    }

    List<Point> losses() {
        return points("loss");
    }

    /// The rows in which a column has a number, over the steps made so far.
    private List<Point> points(String title) {
        double[] steps = column(columns, "timesteps");
        double[] values = column(columns, title);
        var points = new ArrayList<Point>();
        for (int row = 0; row < values.length; row++) {
            if (Double.isFinite(values[row]) && Double.isFinite(steps[row])) {
                points.add(new Point(steps[row], values[row]));
            }
        }
        return points;
    }

    /// Moving averages over this many points, or over as many as there are up to a point.
    static List<Point> smooth(List<Point> points, int window) {
        var smooth = new ArrayList<Point>();
        for (int i = 0; i < points.size(); i++) {
            double sum = 0;
            int from = Math.max(0, i - window + 1);
            for (int k = from; k <= i; k++) {
                sum += points.get(k).value();
            }
            smooth.add(new Point(points.get(i).steps(), sum / (i + 1 - from)));
        }
        return smooth;
    }

    int updates() {
        return rows;
    }
}
