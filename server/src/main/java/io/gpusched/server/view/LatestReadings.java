package io.gpusched.server.view;

import io.gpusched.core.model.NodeId;

/// The latest telemetry of GPUs, for display. Decisions never use it: they use heat levels, which
/// are events.
public interface LatestReadings {
    /// @param temperature degrees Celsius; NaN if unknown
    /// @param utilization percent; NaN if unknown
    /// @param memoryUsedMiB negative if unknown
    /// @param powerWatts NaN if unknown
    record Gpu(double temperature, double utilization, long memoryUsedMiB, double powerWatts) {
        public static final Gpu UNKNOWN = new Gpu(Double.NaN, Double.NaN, -1, Double.NaN);
    }

    /// The newest reading of a GPU; [Gpu#UNKNOWN] if there is none.
    Gpu gpu(NodeId node, int index);
}
