package io.gpusched.lab.train;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/// An axis of a picture.
///
/// @param step the distance of two labels
record ValueScale(double least, double most, double step) {
    private static final int INTERVALS = 5;

    /// A place from 0 to 1, and what is written there.
    record Tick(double at, String label) {}

    /// Ends at round numbers around all values.
    static ValueScale around(DoubleStream values) {
        DoubleSummaryStatistics summary = values.summaryStatistics();
        if (summary.getCount() == 0) {
            return new ValueScale(0, 1, 0.2);
        }
        double least = summary.getMin();
        double most = summary.getMax();
        double step = step(least, most);
        double low = step * Math.floor(least / step);
        double high = step * Math.ceil(most / step);
        return new ValueScale(low, high > low ? high : low + step, step);
    }

    /// From 0 to a value, which is its end even if it is not round.
    static ValueScale upTo(double most) {
        return new ValueScale(0, most, step(0, most));
    }

    private static double step(double least, double most) {
        double spread = most > least ? most - least : Math.max(1e-3, Math.abs(most));
        double power = Math.pow(10, Math.floor(Math.log10(spread / INTERVALS)));
        double factor = spread / INTERVALS / power;
        return power * (factor > 5 ? 10 : factor > 2 ? 5 : factor > 1 ? 2 : 1);
    }

    /// From 0 to 1.
    double place(double value) {
        return (value - least) / (most - least);
    }

    List<Tick> ticks() {
        int digits = Math.max(0, (int) Math.ceil(-Math.log10(step) - 1e-9));
        var ticks = new ArrayList<Tick>();
        long count = (long) Math.floor((most - least) / step + 1e-6);
        for (int i = 0; i <= count; i++) {
            double value = least + i * step;
            String label = String.format(Locale.ROOT, "%,." + digits + "f", value);
            ticks.add(
                    new Tick(
                            place(value),
                            label.matches("-0(\\.0*)?") ? label.substring(1) : label));
        }
        return ticks;
    }
}
