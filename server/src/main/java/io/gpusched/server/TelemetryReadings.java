package io.gpusched.server;

import io.gpusched.core.model.NodeId;
import io.gpusched.server.agents.Telemetry;
import io.gpusched.server.view.LatestReadings;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

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
                return gpu(sample);
            }
        }
        return Gpu.UNKNOWN;
    }

    @Override
    public List<Gpu> all(NodeId node, int count) {
        var all = new Gpu[count];
        Arrays.fill(all, Gpu.UNKNOWN);
        Telemetry.Reading reading = telemetry.latest(node);
        if (reading != null) {
            for (Telemetry.GpuSample sample : reading.gpus()) {
                if (sample.index() < count) {
                    all[sample.index()] = gpu(sample);
                }
            }
        }
        return Arrays.asList(all);
    }

    @Override
    public long version() {
        return telemetry.version();
    }

    private static Gpu gpu(Telemetry.GpuSample sample) {
        return new Gpu(
                orUnknown(sample.celsius()),
                orUnknown(sample.utilizationPercent()),
                sample.memoryUsedMiB() == null ? -1 : sample.memoryUsedMiB(),
                orUnknown(sample.watts()));
    }

    private static double orUnknown(@Nullable Double figure) {
        return figure == null ? Double.NaN : figure;
    }
}
