package io.gpusched.server;

import io.gpusched.core.model.NodeId;
import io.gpusched.server.agents.Telemetry;
import io.gpusched.server.view.LatestReadings;

import org.jspecify.annotations.Nullable;

/// The latest telemetry of agents, as REST handlers and metrics read it.
final class TelemetryReadings implements LatestReadings {
    private final Telemetry telemetry;

    TelemetryReadings(Telemetry telemetry) {
        this.telemetry = telemetry;
    }

    @Override
    public Gpu gpu(NodeId node, int index) {
        Telemetry.Reading reading = telemetry.latest(node);
        if (reading == null) {
            return Gpu.UNKNOWN;
        }
        for (Telemetry.GpuSample sample : reading.gpus()) {
            if (sample.index() == index) {
                return new Gpu(
                        orUnknown(sample.celsius()),
                        orUnknown(sample.utilizationPercent()),
                        sample.memoryUsedMiB() == null ? -1 : sample.memoryUsedMiB(),
                        orUnknown(sample.watts()));
            }
        }
        return Gpu.UNKNOWN;
    }

    private static double orUnknown(@Nullable Double figure) {
        return figure == null ? Double.NaN : figure;
    }
}
