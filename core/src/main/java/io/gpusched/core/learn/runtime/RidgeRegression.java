package io.gpusched.core.learn.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How runtimes depend on traits: a ridge regression, kept as sums. The ridge pulls towards the
/// slopes of the level above, so that a kind with few runs borrows them and one with many does not.
final class RidgeRegression {
    private static final int N = NumericFeatures.COUNT;

    /// How many runs the slopes of the level above count for, at a variance of one.
    private static final double RIDGE = 2;

    /// Older sums decay by this factor with every run, so that slopes may change.
    private static final double KEEP = 0.999;

    /// A larger deviation (20 times longer or shorter) counts as this.
    private static final double FAR = 3;

    /// The steepest slope of any trait: runtime grows at most with its square.
    private static final double STEEPEST = 2;

    private final double[] seen = new double[N];
    private final double[] mean = new double[N];
    private final double[] cross = new double[N * N];
    private final double[] along = new double[N];
    private final double[] slopes = new double[N];
    private double runs;
    private double centre;

    /// Adds a run, and its deviation from the kind's average to `within`, the slopes inside all
    /// kinds.
    void add(float[] traits, double log, RidgeRegression within) {
        runs++;
        double off = Math.clamp(log - centre, -FAR, FAR);
        var delta = new double[N];
        for (int i = 0; i < N; i++) {
            if (!Float.isNaN(traits[i])) {
                seen[i]++;
                delta[i] = traits[i] - mean[i];
                mean[i] += delta[i] / seen[i];
                delta[i] = seen[i] == 1 ? 0 : delta[i];
            }
        }
        centre += off / runs;
        gather(delta, off, (runs - 1) / runs);
        if (within != this) {
            within.gather(delta, off, (runs - 1) / runs);
        }
    }

    private void gather(double[] delta, double off, double weight) {
        for (int i = 0; i < N; i++) {
            along[i] = along[i] * KEEP + weight * delta[i] * off;
            for (int j = 0; j < N; j++) {
                cross[i * N + j] = cross[i * N + j] * KEEP + weight * delta[i] * delta[j];
            }
        }
    }

    /// How much longer work with these traits takes than the average run so far.
    double shift(float[] traits) {
        double sum = 0;
        for (int i = 0; i < N; i++) {
            if (seen[i] > 0 && !Float.isNaN(traits[i])) {
                sum += slopes[i] * (traits[i] - mean[i]);
            }
        }
        return sum;
    }

    /// The slopes as last computed; the caller must not change them.
    double[] slopes() {
        return slopes;
    }

    /// Computes the slopes, regularised towards `above`.
    void refresh(double[] above) {
        boolean varies = false;
        for (int i = 0; i < N; i++) {
            varies |= cross[i * N + i] > 0;
        }
        System.arraycopy(varies ? solve(above) : above, 0, slopes, 0, N);
    }

    /// By elimination: the matrix is symmetric with a ridge, so it needs no choice of pivots.
    private double[] solve(double[] above) {
        double[] a = cross.clone();
        double[] b = along.clone();
        for (int i = 0; i < N; i++) {
            a[i * N + i] += RIDGE;
            b[i] += RIDGE * above[i];
        }
        for (int k = 0; k < N; k++) {
            for (int i = k + 1; i < N; i++) {
                double factor = a[i * N + k] / a[k * N + k];
                for (int j = k; j < N; j++) {
                    a[i * N + j] -= factor * a[k * N + j];
                }
                b[i] -= factor * b[k];
            }
        }
        for (int i = N - 1; i >= 0; i--) {
            for (int j = i + 1; j < N; j++) {
                b[i] -= a[i * N + j] * b[j];
            }
            b[i] /= a[i * N + i];
        }
        for (int i = 0; i < N; i++) {
            b[i] = Math.clamp(b[i], -STEEPEST, STEEPEST);
        }
        return b;
    }

    /// All sums in one row.
    List<Double> image() {
        var row = new ArrayList<Double>();
        row.add(runs);
        row.add(centre);
        for (double[] sums : List.of(seen, mean, cross, along, slopes)) {
            Arrays.stream(sums).forEach(row::add);
        }
        return List.copyOf(row);
    }

    static RidgeRegression restored(List<Double> row) {
        var ridgeRegression = new RidgeRegression();
        if (row.size() == 2 + 4 * N + N * N) {
            var next = row.iterator();
            ridgeRegression.runs = next.next();
            ridgeRegression.centre = next.next();
            for (double[] sums :
                    List.of(
                            ridgeRegression.seen,
                            ridgeRegression.mean,
                            ridgeRegression.cross,
                            ridgeRegression.along,
                            ridgeRegression.slopes)) {
                for (int i = 0; i < sums.length; i++) {
                    sums[i] = next.next();
                }
            }
        }
        return ridgeRegression;
    }
}
