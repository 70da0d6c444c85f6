package io.gpusched.core.learn.runtime;

import java.util.Arrays;
import java.util.List;

/// How fast the history should be forgotten. Several rates are tried on every run, and the rate
/// with the lowest recent error is used. Work that never changes keeps everything; work that comes
/// in sessions, each with its own length, uses the last few runs.
///
/// A run weighs `(age + a minute)^-e`, with e of 0 (all alike), ½, 1 or 1½. Age is measured from
/// the start: runs that started together belong together, whenever they ended.
final class ForgettingRate {
    static final int RATES = 4;

    /// The rate that forgets nothing.
    static final int EVERYTHING = 0;

    /// Errors beyond this (a factor of seven) count as this.
    private static final double WORST = 2;

    private final double keep;
    private final double[] lost = new double[RATES];

    /// @param keep the fraction of the error record that remains after one more run
    ForgettingRate(double keep) {
        this.keep = keep;
    }

    static double weight(int rate, double age) {
        double near = 1 / Math.sqrt(Math.max(0, age) + 60);
        return switch (rate) {
            case 0 -> 1;
            case 1 -> near;
            case 2 -> near * near;
            default -> near * near * near;
        };
    }

    /// Records the prediction of each rate, and the actual value.
    void ended(double[] predictions, double log) {
        for (int rate = 0; rate < RATES; rate++) {
            lost[rate] = lost[rate] * keep + Math.min(WORST, Math.abs(predictions[rate] - log));
        }
    }

    /// The best rate here; `elsewhere`, the record of all work, counts as ten runs.
    int best(ForgettingRate elsewhere) {
        int best = 0;
        double least = Double.MAX_VALUE;
        for (int rate = 0; rate < RATES; rate++) {
            double there = elsewhere.lost[0] > 0 ? elsewhere.lost[rate] / elsewhere.lost[0] : 1;
            double loss = lost[rate] + 10 * there;
            if (loss < least) {
                least = loss;
                best = rate;
            }
        }
        return best;
    }

    List<Double> image() {
        return Arrays.stream(lost).boxed().toList();
    }

    static ForgettingRate restored(List<Double> image, double keep) {
        var forgettingRate = new ForgettingRate(keep);
        for (int rate = 0; rate < Math.min(RATES, image.size()); rate++) {
            forgettingRate.lost[rate] = image.get(rate);
        }
        return forgettingRate;
    }
}
