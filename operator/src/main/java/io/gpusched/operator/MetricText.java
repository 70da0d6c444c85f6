package io.gpusched.operator;

/// Figures in the text format of Prometheus.
final class MetricText {
    private static final String PREFIX = "gpu_scheduler_operator_";

    private final StringBuilder text = new StringBuilder();

    void gauge(String name, String help, long value) {
        head(name, help);
        sample(name, "", value);
    }

    /// Begins a figure with labels; its samples follow.
    void head(String name, String help) {
        text.append("# HELP ").append(PREFIX).append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(PREFIX).append(name).append(" gauge\n");
    }

    /// @param labels as in `{type="pods"}`; empty for none
    void sample(String name, String labels, long value) {
        text.append(PREFIX).append(name).append(labels).append(' ').append(value).append('\n');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
