package io.gpusched.lab.runtimes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// The two simple rules for one group: the median of all runtimes so far, and that of the last 31.
/// Both work on logarithms.
final class Medians {
    private static final int LAST = 31;

    private final List<Double> sorted = new ArrayList<>();
    private final double[] last = new double[LAST];
    private int count;

    void add(double log) {
        int place = Collections.binarySearch(sorted, log);
        sorted.add(place < 0 ? -place - 1 : place, log);
        last[count++ % LAST] = log;
    }

    boolean isEmpty() {
        return count == 0;
    }

    double running() {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    double recent() {
        return median(Arrays.copyOf(last, Math.min(count, LAST)));
    }

    static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
