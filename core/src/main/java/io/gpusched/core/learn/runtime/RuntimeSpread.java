package io.gpusched.core.learn.runtime;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/// A coarse, long-lived histogram of the runtimes of many kinds: the prior for a kind of which
/// little is known, and the source of very long runtimes.
final class RuntimeSpread {
    /// From a millisecond to forty years, in logarithmic steps of a quarter.
    private static final double LOWEST = -7;

    private static final double STEP = 0.25;
    private static final int BINS = 112;

    /// The initial prior: anything between ten seconds and a week, weighing as one run.
    private static final int FIRST = 37;

    private static final int LAST = 81;

    private final double[] counts;
    private final double most;
    private double total;

    /// @param most when this many runs are counted, all counts are halved
    RuntimeSpread(double most) {
        this.most = most;
        counts = new double[BINS];
    }

    /// A histogram with only the initial prior.
    static RuntimeSpread vague(double most) {
        var runtimeSpread = new RuntimeSpread(most);
        for (int bin = FIRST; bin < LAST; bin++) {
            runtimeSpread.counts[bin] = 1.0 / (LAST - FIRST);
        }
        runtimeSpread.total = 1;
        return runtimeSpread;
    }

    void add(double log) {
        int bin = (int) Math.floor((log - LOWEST) / STEP);
        counts[Math.clamp(bin, 0, BINS - 1)]++;
        total++;
        if (total >= most) {
            total = 0;
            for (int i = 0; i < BINS; i++) {
                counts[i] /= 2;
                total += counts[i];
            }
        }
    }

    double total() {
        return total;
    }

    double mean() {
        double sum = 0;
        for (int bin = 0; bin < BINS; bin++) {
            sum += counts[bin] * middle(bin);
        }
        return sum / total;
    }

    double variance() {
        double mean = mean();
        double sum = 0;
        for (int bin = 0; bin < BINS; bin++) {
            sum += counts[bin] * (middle(bin) - mean) * (middle(bin) - mean);
        }
        return sum / total;
    }

    /// Adds the whole histogram to the samples, as if it were `runs` runs, all later by `shift`.
    void into(WeightedSamples weightedSamples, double runs, double shift) {
        for (int bin = 0; bin < BINS && total > 0; bin++) {
            if (counts[bin] > 0) {
                weightedSamples.add(middle(bin) + shift, runs * counts[bin] / total, false);
            }
        }
    }

    private static double middle(int bin) {
        return LOWEST + (bin + 0.5) * STEP;
    }

    /// The total comes first: added up again it might differ in the last bit.
    List<Double> image() {
        return DoubleStream.concat(DoubleStream.of(total), Arrays.stream(counts)).boxed().toList();
    }

    static RuntimeSpread restored(List<Double> image, double most) {
        var runtimeSpread = new RuntimeSpread(most);
        if (image.size() == BINS + 1) {
            runtimeSpread.total = image.getFirst();
            for (int bin = 0; bin < BINS; bin++) {
                runtimeSpread.counts[bin] = image.get(bin + 1);
            }
        }
        return runtimeSpread;
    }
}
