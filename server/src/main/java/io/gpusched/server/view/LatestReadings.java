package io.gpusched.server.view;

import io.gpusched.core.model.NodeId;

import java.util.List;
import java.util.stream.IntStream;

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

    /// The newest readings of the first `count` GPUs of a node.
    default List<Gpu> all(NodeId node, int count) {
        return IntStream.range(0, count).mapToObj(index -> gpu(node, index)).toList();
    }

    /// A number that grows with every reading that arrives.
    default long version() {
        return 0;
    }
}
