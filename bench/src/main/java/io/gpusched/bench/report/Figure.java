package io.gpusched.bench.report;

import java.util.Locale;

/// One number and what it means.
///
/// @param name what was counted, as a person would say it
/// @param note what a reader must know to judge it, or empty
public record Figure(String name, double value, String unit, Target target, String note) {
    public static Figure of(String name, double value, String unit, Target target) {
        return new Figure(name, value, unit, target, "");
    }

    /// A figure without a target, which explains others.
    public static Figure beside(String name, double value, String unit) {
        return new Figure(name, value, unit, Target.none(), "");
    }

    public Figure withNote(String words) {
        return new Figure(name, value, unit, target, words);
    }

    public boolean reached() {
        return target.isReachedBy(value);
    }

    /// The value with its unit.
    public String amount() {
        return amount(value);
    }

    /// The target with its unit; empty when there is none.
    public String wanted() {
        return switch (target) {
            case Target.None none -> "";
            case Target.AtLeast least -> "≥ " + amount(least.bound());
            case Target.AtMost most -> "≤ " + amount(most.bound());
        };
    }

    private String amount(double some) {
        return number(some) + (unit.isEmpty() ? "" : " " + unit);
    }

    /// Three significant digits below a thousand, whole numbers with separators above.
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 1000 || size == Math.rint(size)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(
                Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }
}
