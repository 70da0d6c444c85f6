package io.gpusched.lab.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// An axis of a chart: the positions of values and the labels beside them.
///
/// @param most the largest value shown
/// @param kind how values are spread and written
record Axis(String title, double most, Kind kind) {
    enum Kind {
        PLAIN,
        PERCENT,
        /// Seconds, evenly.
        TIME,
        /// Seconds, each factor of ten as long as the next, from a second on.
        LOG_TIME
    }

    /// A place on the axis from 0 to 1, and what is written there.
    record Tick(double at, String label) {}

    private static final double[] LOG_TICKS = {
        0, 1, 10, 60, 600, 3600, 6 * 3600, 86_400, 7 * 86_400, 28 * 86_400, 365 * 86_400
    };
    private static final double[] TIME_STEPS = {
        1,
        10,
        60,
        300,
        600,
        1800,
        3600,
        2 * 3600,
        4 * 3600,
        6 * 3600,
        12 * 3600,
        86_400,
        2 * 86_400,
        7 * 86_400,
        14 * 86_400,
        28 * 86_400,
        56 * 86_400,
        365 * 86_400
    };
    private static final int MOST_TICKS = 9;

    /// From 0 to 1.
    double place(double value) {
        double inside = Math.clamp(value, 0, most);
        return kind == Kind.LOG_TIME
                ? Math.log1p(inside) / Math.log1p(most)
                : most == 0 ? 0 : inside / most;
    }

    List<Tick> ticks() {
        var ticks = new ArrayList<Tick>();
        if (kind == Kind.LOG_TIME) {
            for (double tick : LOG_TICKS) {
                if (tick <= most) {
                    ticks.add(new Tick(place(tick), time(tick, tick)));
                }
            }
            return ticks;
        }
        double step = step();
        for (int i = 0; i * step <= most * 1.0001; i++) {
            ticks.add(new Tick(place(i * step), label(i * step, step)));
        }
        return ticks;
    }

    private double step() {
        if (kind == Kind.TIME) {
            for (double step : TIME_STEPS) {
                if (most / step <= MOST_TICKS) {
                    return step;
                }
            }
        }
        double step = Math.pow(10, Math.floor(Math.log10(Math.max(1e-9, most / 5))));
        double factor = most / 5 / step;
        return step * (factor >= 5 ? 5 : factor >= 2 ? 2 : 1);
    }

    private String label(double value, double step) {
        return switch (kind) {
            case PERCENT -> String.format(Locale.ROOT, "%.0f %%", 100 * value);
            case TIME -> time(value, step);
            case PLAIN, LOG_TIME -> String.format(Locale.ROOT, step < 1 ? "%.1f" : "%,.0f", value);
        };
    }

    /// In the largest unit that `step` is a multiple of.
    private static String time(double seconds, double step) {
        if (seconds == 0) {
            return "0";
        }
        if (step >= 86_400) {
            return String.format(Locale.ROOT, "%.0f d", seconds / 86_400);
        }
        if (step >= 3600) {
            return String.format(Locale.ROOT, "%.0f h", seconds / 3600);
        }
        return step >= 60
                ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                : String.format(Locale.ROOT, "%.0f s", seconds);
    }
}
