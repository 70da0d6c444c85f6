package io.gpusched.server.view;

import io.gpusched.core.model.NodeId;

/// What agents measured last. Decisions never look at it: they get heat in steps, as events.
public interface LatestReadings {
    /// @param temperature degrees Celsius; not a number where unknown
    /// @param utilization percent; not a number where unknown
    /// @param memoryUsedMiB negative where unknown
    /// @param powerWatts not a number where unknown
    record Gpu(double temperature, double utilization, long memoryUsedMiB, double powerWatts) {
        public static final Gpu UNKNOWN = new Gpu(Double.NaN, Double.NaN, -1, Double.NaN);
    }

    /// The newest reading of a GPU; [Gpu#UNKNOWN] when there is none.
    Gpu gpu(NodeId node, int index);
}
