package io.gpusched.sim.metrics;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.Check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The carbon intensity of electricity over time: a step curve whose last step is as long as the
/// one before it. Before and after the curve, it repeats.
///
///     06:00 300, 07:00 250, 08:00 400   →   06:30 300, 08:59 400, 09:30 300 again
public final class GridIntensity {
    private final long from;
    private final long[] starts;
    private final double[] grams;
    /// Gram-seconds per kWh from the start of the curve to the start of each step, and to its end.
    private final double[] before;

    private final long length;

    private GridIntensity(List<Instant> times, List<Double> values) {
        int n = times.size();
        Check.that(n > 0 && values.size() == n, "an intensity has at least one step");
        from = times.getFirst().toEpochMilli();
        starts = new long[n];
        grams = new double[n];
        before = new double[n + 1];
        for (int i = 0; i < n; i++) {
            starts[i] = times.get(i).toEpochMilli() - from;
            grams[i] = values.get(i);
            Check.that(i == 0 || starts[i] > starts[i - 1], "steps are in the order of time");
        }
        long last = n == 1 ? Duration.ofHours(1).toMillis() : starts[n - 1] - starts[n - 2];
        length = starts[n - 1] + last;
        for (int i = 0; i < n; i++) {
            long end = i + 1 < n ? starts[i + 1] : length;
            before[i + 1] = before[i] + grams[i] * (end - starts[i]) / 1000.0;
        }
    }

    /// The same at all times.
    public static GridIntensity constant(double gramsPerKwh) {
        return new GridIntensity(List.of(Instant.EPOCH), List.of(gramsPerKwh));
    }

    /// @param times the starts of the steps, rising
    /// @param gramsPerKwh one for each
    public static GridIntensity steps(List<Instant> times, List<Double> gramsPerKwh) {
        return new GridIntensity(new ArrayList<>(times), new ArrayList<>(gramsPerKwh));
    }

    public double at(Instant moment) {
        return grams[step(Math.floorMod(moment.toEpochMilli() - from, length))];
    }

    /// The intensity added up from one moment to a later one, in gram-seconds per kWh. What draws
    /// `w` watts in that time stands for `w * between / 3,600,000` grams.
    public double between(Instant start, Instant end) {
        return upTo(end) - upTo(start);
    }

    /// The forecast for a scheduler: steps of equal length, as long as the shortest here; the first
    /// contains `moment`.
    public CarbonForecast foreseen(Instant moment, int steps) {
        long step = length - starts[starts.length - 1];
        for (int i = 1; i < starts.length; i++) {
            step = Math.min(step, starts[i] - starts[i - 1]);
        }
        long first = moment.toEpochMilli() - Math.floorMod(moment.toEpochMilli() - from, step);
        var foreseen = new double[steps];
        for (int i = 0; i < steps; i++) {
            Instant start = Instant.ofEpochMilli(first + i * step);
            foreseen[i] = between(start, start.plusMillis(step)) * 1000.0 / step;
        }
        return new CarbonForecast(Instant.ofEpochMilli(first), Duration.ofMillis(step), foreseen);
    }

    /// Whether it is the same at all times: then there is nothing to wait for.
    public boolean isConstant() {
        for (double each : grams) {
            if (each != grams[0]) {
                return false;
            }
        }
        return true;
    }

    /// All steps, so that equal texts are equal curves.
    @Override
    public String toString() {
        return from + " " + Arrays.toString(starts) + " " + Arrays.toString(grams);
    }

    private double upTo(Instant moment) {
        long passed = moment.toEpochMilli() - from;
        long rounds = Math.floorDiv(passed, length);
        long rest = Math.floorMod(passed, length);
        int step = step(rest);
        return rounds * before[grams.length]
                + before[step]
                + grams[step] * (rest - starts[step]) / 1000.0;
    }

    private int step(long at) {
        int low = 0;
        int high = starts.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts[middle] <= at) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
