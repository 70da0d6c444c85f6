package io.gpusched.sim.metrics;

import java.util.Arrays;

/// Means over time, in steps of equal length. When there would be too many steps, two become one.
final class TimeSeries {
    private static final int MOST = 480;

    private final double[][] sums;
    private double width;
    private int used;

    /// @param lines how many values are followed
    /// @param width the first length of a step, in seconds
    TimeSeries(int lines, double width) {
        this.sums = new double[lines][MOST];
        this.width = width;
    }

    /// Each line had one value from a time to a later one, in seconds.
    void add(double from, double to, double... values) {
        while (to > width * MOST) {
            halve();
        }
        double at = from;
        while (at < to) {
            int step = Math.min(MOST - 1, (int) (at / width));
            double until = Math.min(to, (step + 1) * width);
            if (until <= at) {
                until = to;
            }
            for (int line = 0; line < sums.length; line++) {
                sums[line][step] += values[line] * (until - at);
            }
            used = Math.max(used, step + 1);
            at = until;
        }
    }

    private void halve() {
        for (double[] line : sums) {
            for (int i = 0; i < MOST / 2; i++) {
                line[i] = line[2 * i] + line[2 * i + 1];
            }
            Arrays.fill(line, MOST / 2, MOST, 0);
        }
        used = (used + 1) / 2;
        width *= 2;
    }

    double width() {
        return width;
    }

    /// The sums of a line over each step; divide by [#width] for means.
    double[] line(int number) {
        return Arrays.copyOf(sums[number], used);
    }
}
