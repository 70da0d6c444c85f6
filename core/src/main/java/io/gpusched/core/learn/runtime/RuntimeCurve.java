package io.gpusched.core.learn.runtime;

/// A distribution of runtimes as points: at `logs[i]`, everything before the i-th sample and half
/// of it has ended. Between the points the curve is linear.
final class RuntimeCurve {
    private final double[] logs;
    private final double[] below;

    RuntimeCurve(double[] logs, double[] below) {
        this.logs = logs;
        this.below = below;
    }

    /// The logarithm of the time by which a fraction `p` of the runs has ended.
    double quantile(double p) {
        int low = 0;
        int high = below.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (below[middle] < p) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return logs[0];
        }
        if (low == below.length) {
            return logs[low - 1];
        }
        double share = (p - below[low - 1]) / (below[low] - below[low - 1]);
        return logs[low - 1] + share * (logs[low] - logs[low - 1]);
    }

    /// The fraction that has ended by then: 0 before the first point, 1 after the last.
    double below(double log) {
        int count = logs.length;
        if (log <= logs[0]) {
            return log < logs[0] ? 0 : below[0];
        }
        if (log > logs[count - 1]) {
            return 1;
        }
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (logs[middle] < log) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        double step = logs[low] - logs[low - 1];
        double share = step > 0 ? (log - logs[low - 1]) / step : 1;
        return below[low - 1] + share * (below[low] - below[low - 1]);
    }

    /// The logarithm of the longest time in the distribution.
    double last() {
        return logs[logs.length - 1];
    }

    /// The mean in seconds, cut off where all but a thousandth has ended.
    double meanSeconds() {
        double most = quantile(0.999);
        double sum = 0;
        double before = 0;
        for (int i = 0; i < logs.length; i++) {
            double upTo = i + 1 < logs.length ? (below[i] + below[i + 1]) / 2 : 1;
            sum += (upTo - before) * StrictMath.exp(Math.min(logs[i], most));
            before = upTo;
        }
        return sum;
    }

    RuntimeCurve shifted(double by) {
        var moved = logs.clone();
        for (int i = 0; i < moved.length; i++) {
            moved[i] += by;
        }
        return new RuntimeCurve(moved, below);
    }
}
