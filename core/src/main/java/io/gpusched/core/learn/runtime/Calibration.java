package io.gpusched.core.learn.runtime;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Corrects the quantiles of forecasts: it counts at which level of the forecast curve runs really
/// ended, and maps a probability `p` to the level below which that fraction of runs ends.
///
/// With perfect curves the levels would be uniform and the mapping the identity. Where more runs
/// end outside the middle than forecast, the ranges widen until the counts agree. The mapping is
/// increasing, so quantiles stay in order.
final class Calibration {
    private static final int BINS = 50;

    /// Uniformly distributed runs that are assumed at first.
    private static final double ASSUMED = 20;

    /// The fraction of a count that remains after one more run: half of it after 7,000.
    private static final double KEEP = 0.9999;

    private final double[] counts = new double[BINS];

    /// The weight of the newest run. Increasing it is the same as decaying all counts.
    private double newest = 1;

    private @Nullable Map map;

    Calibration() {
        for (int bin = 0; bin < BINS; bin++) {
            counts[bin] = ASSUMED / BINS;
        }
    }

    /// Counts a run that ended at this level of the curve forecast at its start.
    void ended(double level) {
        newest /= KEEP;
        counts[Math.clamp((int) (level * BINS), 0, BINS - 1)] += newest;
        if (newest > 1e9) {
            for (int bin = 0; bin < BINS; bin++) {
                counts[bin] /= newest;
            }
            newest = 1;
        }
        map = null;
    }

    Map map() {
        Map known = map;
        if (known == null) {
            known = Map.of(counts);
            map = known;
        }
        return known;
    }

    /// The immutable mapping from probabilities to levels of the curve and back.
    static final class Map {
        private final double[] upTo;

        private Map(double[] upTo) {
            this.upTo = upTo;
        }

        private static Map of(double[] counts) {
            double total = 0;
            for (double count : counts) {
                total += count;
            }
            var upTo = new double[BINS + 1];
            double sum = 0;
            for (int bin = 0; bin < BINS; bin++) {
                sum += counts[bin];
                upTo[bin + 1] = sum / total;
            }
            upTo[BINS] = 1;
            return new Map(upTo);
        }

        /// The level of the curve below which a fraction `p` of the runs ends.
        double level(double p) {
            int bin = 0;
            while (bin < BINS - 1 && upTo[bin + 1] < p) {
                bin++;
            }
            return (bin + Math.min(1, (p - upTo[bin]) / (upTo[bin + 1] - upTo[bin]))) / BINS;
        }

        /// The fraction of the runs that ends below this level.
        double part(double level) {
            int bin = Math.clamp((int) (level * BINS), 0, BINS - 1);
            return upTo[bin] + (level * BINS - bin) * (upTo[bin + 1] - upTo[bin]);
        }
    }

    List<Double> image() {
        var row = new ArrayList<Double>();
        row.add(newest);
        for (double count : counts) {
            row.add(count);
        }
        return List.copyOf(row);
    }

    static Calibration restored(List<Double> row) {
        var calibration = new Calibration();
        if (row.size() == BINS + 1) {
            calibration.newest = row.getFirst();
            for (int bin = 0; bin < BINS; bin++) {
                calibration.counts[bin] = row.get(bin + 1);
            }
        }
        return calibration;
    }
}
