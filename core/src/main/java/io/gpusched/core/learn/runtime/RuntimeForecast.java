package io.gpusched.core.learn.runtime;

import java.util.ArrayList;
import java.util.List;

/// The forecast made when a run started, small enough to be kept until the run ends.
final class RuntimeForecast {
    private static final double[] LEVELS = {
        0.005, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98,
        0.995
    };

    static final int LENGTH = LEVELS.length + ForgettingRate.RATES + 3;

    /// The index of the calibration that it used.
    final int level;

    /// Quantiles of the curve before calibration.
    private final double[] quantiles;

    /// The prediction of each forgetting rate.
    final double[] predictions;

    /// The usual deviation of runs from the prediction of the whole history.
    final double spread;

    private final double low;
    private final double high;

    RuntimeForecast(
            int level,
            RuntimeCurve runtimeCurve,
            Calibration.Map map,
            double[] predictions,
            double spread) {
        this.level = level;
        this.predictions = predictions;
        this.spread = spread;
        quantiles = new double[LEVELS.length];
        for (int i = 0; i < LEVELS.length; i++) {
            quantiles[i] = runtimeCurve.quantile(LEVELS[i]);
        }
        low = runtimeCurve.quantile(map.level(0.1));
        high = runtimeCurve.quantile(map.level(0.9));
    }

    private RuntimeForecast(int level, List<Double> row) {
        this.level = level;
        var next = row.iterator();
        quantiles = new double[LEVELS.length];
        for (int i = 0; i < quantiles.length; i++) {
            quantiles[i] = next.next();
        }
        predictions = new double[ForgettingRate.RATES];
        for (int i = 0; i < predictions.length; i++) {
            predictions[i] = next.next();
        }
        spread = next.next();
        low = next.next();
        high = next.next();
    }

    /// Whether the run ended in the 80 % range.
    boolean holds(double log) {
        return log >= low && log <= high;
    }

    /// The run's deviation from the prediction of the whole history, in usual deviations.
    double deviations(double log) {
        return (log - predictions[ForgettingRate.EVERYTHING]) / spread;
    }

    /// The level of the curve at which the run ended.
    double level(double log) {
        int above = 0;
        while (above < LEVELS.length && quantiles[above] < log) {
            above++;
        }
        if (above == LEVELS.length) {
            return 1;
        }
        if (above == 0) {
            return quantiles[0] == log ? LEVELS[0] : 0;
        }
        int last = above;
        while (last + 1 < LEVELS.length && quantiles[last + 1] == log) {
            last++;
        }
        if (last > above) {
            return (LEVELS[above] + LEVELS[last]) / 2;
        }
        double step = quantiles[above] - quantiles[above - 1];
        return LEVELS[above - 1]
                + (LEVELS[above] - LEVELS[above - 1]) * (log - quantiles[above - 1]) / step;
    }

    List<Double> image() {
        var row = new ArrayList<Double>(LENGTH);
        for (double quantile : quantiles) {
            row.add(quantile);
        }
        for (double each : predictions) {
            row.add(each);
        }
        row.add(spread);
        row.add(low);
        row.add(high);
        return List.copyOf(row);
    }

    static RuntimeForecast restored(int level, List<Double> row) {
        return new RuntimeForecast(level, row);
    }
}
