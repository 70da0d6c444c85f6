package io.gpusched.gateway.binding;

import java.util.List;
import java.util.function.ToLongFunction;

/// The states of bindings in Prometheus' text format.
final class BindingMetrics {
    private BindingMetrics() {}

    static String text(List<BindingWatch> watches) {
        var text = new StringBuilder();
        add(
                text,
                watches,
                "gateway_binding_up",
                "gauge",
                "1 while the queue of the binding can be read, 0 while it is degraded.",
                state -> state.isDegraded() ? 0 : 1);
        add(
                text,
                watches,
                "gateway_binding_queue_depth",
                "gauge",
                "Messages in the queue at the last good reading.",
                BindingState::depth);
        add(
                text,
                watches,
                "gateway_binding_failures_total",
                "counter",
                "Readings and reports that failed.",
                BindingState::failures);
        return text.toString();
    }

    private static void add(
            StringBuilder text,
            List<BindingWatch> watches,
            String name,
            String type,
            String help,
            ToLongFunction<BindingState> value) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        for (BindingWatch watch : watches) {
            Binding binding = watch.binding();
            text.append(name).append("{binding=\"").append(label(binding.name()));
            text.append("\",pool=\"").append(label(binding.pool()));
            text.append("\",provider=\"").append(label(binding.provider())).append("\"} ");
            text.append(value.applyAsLong(watch.state())).append('\n');
        }
    }

    private static String label(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
