package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Metric;

import java.util.Collection;
import java.util.Locale;

/// One format for all numbers of a column or row, so that they are easy to compare: the same unit
/// and the same number of decimals, chosen by the largest number.
///
/// @param unit for the heading; empty for a plain number
/// @param scale what a value is divided by
/// @param digits behind the point
/// @param clock whether these are times, written as hours, minutes and seconds
record CommonFormat(String unit, double scale, int digits, boolean clock) {
    private static final double MINUTE = 60;
    private static final double HOUR = 3_600;
    private static final double LONG = 100 * HOUR;

    /// @param values all that are written in this way; those that are no numbers do not count
    static CommonFormat of(Metric metric, Collection<Double> values) {
        double most = 0;
        boolean whole = true;
        for (double value : values) {
            if (Double.isFinite(value)) {
                most = Math.max(most, Math.abs(value));
                whole &= value == Math.rint(value);
            }
        }
        return switch (metric.unit()) {
            case "s" -> time(most);
            case "1" -> new CommonFormat("%", 0.01, 1, false);
            case "$" -> new CommonFormat("$", 1, most < 100 ? 2 : 0, false);
            case "gCO2e" ->
                    most < 10_000
                            ? new CommonFormat("g CO2e", 1, 0, false)
                            : new CommonFormat("kg CO2e", 1000, digits(most / 1000), false);
            case "GPU h" -> new CommonFormat("h", 1, digits(most), false);
            case "" -> new CommonFormat("", 1, whole ? 0 : most < 100 ? 2 : digits(most), false);
            default -> new CommonFormat(metric.unit(), 1, digits(most), false);
        };
    }

    private static CommonFormat time(double most) {
        if (most < MINUTE) {
            return new CommonFormat("s", 1, 1, false);
        }
        return most < LONG
                ? new CommonFormat(most < HOUR ? "m:ss" : "h:mm:ss", 1, 0, true)
                : new CommonFormat("days", 24 * HOUR, 2, false);
    }

    private static int digits(double most) {
        return most < 1 ? 3 : most < 100 ? 1 : 0;
    }

    /// A dash where there is no number.
    String text(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        return clock
                ? clock(Math.round(value))
                : String.format(Locale.ROOT, "%,." + digits + "f", value / scale);
    }

    private String clock(long seconds) {
        return unit.equals("m:ss")
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(
                        Locale.ROOT,
                        "%d:%02d:%02d",
                        seconds / 3600,
                        seconds / 60 % 60,
                        seconds % 60);
    }
}
