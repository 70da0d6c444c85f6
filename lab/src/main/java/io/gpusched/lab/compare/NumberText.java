package io.gpusched.lab.compare;

import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.scenario.ScenarioDurations;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;

/// Formats numbers, for programs and for people.
final class NumberText {
    private static final int DIGITS = 6;

    private NumberText() {}

    /// At most six digits after the point; empty where there is no number.
    static String plain(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(DIGITS, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /// With few digits, for people.
    static String nice(Metric metric, double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        return switch (metric.unit()) {
            case "s" -> ScenarioDurations.rough(Duration.ofMillis(Math.round(value * 1000)));
            case "1" -> form("%.1f %%", 100 * value);
            case "$" -> form(value < 100 ? "$%,.2f" : "$%,.0f", value);
            case "gCO2e" -> value >= 1e5 ? form("%,.0f kg", value / 1000) : form("%,.0f g", value);
            case "kWh" -> form(digits(value) + " kWh", value);
            case "GPU h" -> form(digits(value) + " h", value);
            default ->
                    value == Math.rint(value) && Math.abs(value) < 1e12
                            ? form("%,.0f", value)
                            : form(Math.abs(value) < 100 ? "%,.2f" : "%,.0f", value);
        };
    }

    private static String digits(double value) {
        return value < 1 ? "%,.3f" : value < 100 ? "%,.1f" : "%,.0f";
    }

    private static String form(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
