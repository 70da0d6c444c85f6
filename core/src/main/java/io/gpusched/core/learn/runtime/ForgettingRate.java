package io.gpusched.core.learn.runtime;

import java.util.Arrays;
import java.util.List;

/// How fast the past should be forgotten: several ways are tried on every run, and the one that
/// has been least wrong lately is used. Work that is always the same keeps everything; work that
/// comes in sessions, each with its own length, looks at the last few runs.
///
/// A run weighs `(age + a minute)^-e`, with e of 0 (all alike), ½, 1 or 1½. Age is measured from
/// the start: runs that started together belong together, whenever they ended.
final class ForgettingRate {
    static final int WAYS = 4;

    /// The way that forgets nothing.
    static final int EVERYTHING = 0;

    /// Being off by more than this (seven times) is no worse than being off by this.
    private static final double WORST = 2;

    private final double keep;
    private final double[] lost = new double[WAYS];

    /// @param keep what is left of the record after one more run
    ForgettingRate(double keep) {
        this.keep = keep;
    }

    static double weight(int way, double age) {
        double near = 1 / Math.sqrt(Math.max(0, age) + 60);
        return switch (way) {
            case 0 -> 1;
            case 1 -> near;
            case 2 -> near * near;
            default -> near * near * near;
        };
    }

    /// What each way had said, and what it was.
    void ended(double[] said, double log) {
        for (int way = 0; way < WAYS; way++) {
            lost[way] = lost[way] * keep + Math.min(WORST, Math.abs(said[way] - log));
        }
    }

    /// The best way here; what is best elsewhere counts for ten runs.
    int best(ForgettingRate elsewhere) {
        int best = 0;
        double least = Double.MAX_VALUE;
        for (int way = 0; way < WAYS; way++) {
            double there = elsewhere.lost[0] > 0 ? elsewhere.lost[way] / elsewhere.lost[0] : 1;
            double loss = lost[way] + 10 * there;
            if (loss < least) {
                least = loss;
                best = way;
            }
        }
        return best;
    }

    List<Double> image() {
        return Arrays.stream(lost).boxed().toList();
    }

    static ForgettingRate restored(List<Double> image, double keep) {
        var forgettingRate = new ForgettingRate(keep);
        for (int way = 0; way < Math.min(WAYS, image.size()); way++) {
            forgettingRate.lost[way] = image.get(way);
        }
        return forgettingRate;
    }
}
