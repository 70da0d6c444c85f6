package io.gpusched.sim.metrics;

import java.util.EnumMap;
import java.util.Map;

/// One value for each metric that is defined for these jobs.
public final class MetricValues {
    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    /// No number, an infinite one too, is the same as none.
    public void put(Metric metric, double value) {
        if (Double.isFinite(value)) {
            values.put(metric, value);
        }
    }

    public void count(Metric metric, long value) {
        values.put(metric, (double) value);
    }

    /// No number where there is none.
    public double of(Metric metric) {
        return values.getOrDefault(metric, Double.NaN);
    }

    public boolean has(Metric metric) {
        return values.containsKey(metric);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MetricValues metricValues && values.equals(metricValues.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
