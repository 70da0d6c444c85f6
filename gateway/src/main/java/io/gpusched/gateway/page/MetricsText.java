package io.gpusched.gateway.page;

import io.gpusched.gateway.measure.FixedHistogram;

import java.util.Locale;

/// Text in the format of Prometheus.
final class MetricsText {
    private final StringBuilder text = new StringBuilder(4096);
    private String family = "";

    /// Begins a family; its samples follow.
    void family(String name, String type, String help) {
        family = name;
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    /// @param labels names and values in turn
    void sample(long value, String... labels) {
        sample("", (double) value, labels);
    }

    /// @param labels names and values in turn
    void sample(double value, String... labels) {
        sample("", value, labels);
    }

    private void sample(String suffix, double value, String... labels) {
        text.append(family).append(suffix);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
            text.append(escaped(labels[i + 1])).append('"');
        }
        text.append(labels.length > 0 ? "} " : " ").append(number(value)).append('\n');
    }

    /// @param unit the unit of the bounds, in units of the family
    void histogram(FixedHistogram histogram, double unit, String pool) {
        for (int i = 0; i < histogram.size(); i++) {
            String bound = number(histogram.bound(i) * unit);
            sample("_bucket", (double) histogram.upTo(i), "pool", pool, "le", bound);
        }
        sample("_bucket", (double) histogram.count(), "pool", pool, "le", "+Inf");
        sample("_sum", histogram.sum() * unit, "pool", pool);
        sample("_count", (double) histogram.count(), "pool", pool);
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.6f", value).replaceFirst("0+$", "");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
