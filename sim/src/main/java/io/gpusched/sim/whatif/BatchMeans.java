package io.gpusched.sim.whatif;

import java.util.Arrays;

/// A confidence interval for the mean of a long sequence of correlated values, in constant memory.
///
/// Jobs that wait at the same time wait for the same reason, so the values of successive jobs are
/// not independent, and the usual formula would give an interval that is much too narrow. This is
/// the method of batch means: values are put into batches in the order in which they come, and the
/// means of the batches, which hardly depend on each other, are taken as the sample.
///
/// There are at most 40 batches. When they are full, neighbours are joined, so that the batches
/// grow with the sequence: 10 to 39 batches cover everything seen, from 100 values on at least 20.
/// What correlation is left between neighbours widens the interval by the factor √((1 + r) / (1 -
/// r)), where r is the correlation of successive batch means.
///
/// A bootstrap was rejected: it needs all values in memory, a seed, and blocks of a chosen length
/// for the same reason as here.
final class BatchMeans {
    /// Values in a batch at first. With fewer than ten batches there is no interval.
    static final int SMALLEST_BATCH = 5;

    static final int FEWEST_BATCHES = 10;
    private static final int MOST_BATCHES = 40;
    private static final double MOST_CORRELATION = 0.9;

    /// The 0.975 quantiles of Student's distribution for 9 to 39 degrees of freedom.
    private static final double[] STUDENT = {
        2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
        2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042, 2.040, 2.037, 2.035, 2.032,
        2.030, 2.028, 2.026, 2.024, 2.023
    };

    private final double[] means;
    private int full;
    private long size;
    private double open;
    private long inOpen;
    private long count;
    private double sum;

    BatchMeans() {
        means = new double[MOST_BATCHES];
        size = SMALLEST_BATCH;
    }

    private BatchMeans(BatchMeans from) {
        means = Arrays.copyOf(from.means, MOST_BATCHES);
        full = from.full;
        size = from.size;
        open = from.open;
        inOpen = from.inOpen;
        count = from.count;
        sum = from.sum;
    }

    BatchMeans copy() {
        return new BatchMeans(this);
    }

    void add(double value) {
        count++;
        sum += value;
        open += value;
        inOpen++;
        if (inOpen == size) {
            means[full++] = open / size;
            open = 0;
            inOpen = 0;
            if (full == MOST_BATCHES) {
                join();
            }
        }
    }

    private void join() {
        full = MOST_BATCHES / 2;
        for (int i = 0; i < full; i++) {
            means[i] = (means[2 * i] + means[2 * i + 1]) / 2;
        }
        size *= 2;
    }

    MeanInterval interval() {
        double mean = count == 0 ? 0 : sum / count;
        if (full < FEWEST_BATCHES) {
            return new MeanInterval(count, mean, Double.NaN, Double.NaN);
        }
        double half = halfWidth();
        return new MeanInterval(count, mean, mean - half, mean + half);
    }

    private double halfWidth() {
        double total = 0;
        for (int i = 0; i < full; i++) {
            total += means[i];
        }
        double centre = total / full;
        double squares = 0;
        double products = 0;
        for (int i = 0; i < full; i++) {
            double here = means[i] - centre;
            squares += here * here;
            products += i + 1 < full ? here * (means[i + 1] - centre) : 0;
        }
        if (squares == 0) {
            return 0;
        }
        // The estimate of a correlation from n values is too low by about 1 / n.
        double correlation = Math.clamp(products / squares + 1.0 / full, 0, MOST_CORRELATION);
        double variance = squares / (full - 1) / full * (1 + correlation) / (1 - correlation);
        return STUDENT[full - FEWEST_BATCHES] * Math.sqrt(variance);
    }
}
