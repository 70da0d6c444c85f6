package io.gpusched.core.learn.assign;

/// Corrects the sums of a transport plan: rows and columns that hold too much are scaled down, and
/// the missing rest is added as an outer product. Costs change by no more than the error before.
final class MarginScaling {
    private MarginScaling() {}

    static void correct(double[][] plan, double[] supply, double[] demand) {
        for (int job = 0; job < supply.length; job++) {
            scale(plan[job], excess(sum(plan[job]), supply[job]));
        }
        var missingInRow = new double[supply.length];
        var missingInColumn = new double[demand.length];
        double missing = 0;
        for (int gpu = 0; gpu < demand.length; gpu++) {
            double column = 0;
            for (double[] row : plan) {
                column += row[gpu];
            }
            double factor = excess(column, demand[gpu]);
            for (double[] row : plan) {
                row[gpu] *= factor;
            }
            missingInColumn[gpu] = Math.max(0, demand[gpu] - column * factor);
        }
        for (int job = 0; job < supply.length; job++) {
            missingInRow[job] = Math.max(0, supply[job] - sum(plan[job]));
            missing += missingInRow[job];
        }
        if (missing <= 0) {
            return;
        }
        for (int job = 0; job < supply.length; job++) {
            for (int gpu = 0; gpu < demand.length; gpu++) {
                plan[job][gpu] += missingInRow[job] * missingInColumn[gpu] / missing;
            }
        }
    }

    private static double excess(double found, double wanted) {
        return found > wanted ? wanted / found : 1;
    }

    private static void scale(double[] row, double factor) {
        for (int gpu = 0; gpu < row.length; gpu++) {
            row[gpu] *= factor;
        }
    }

    private static double sum(double[] row) {
        double sum = 0;
        for (double each : row) {
            sum += each;
        }
        return sum;
    }
}
