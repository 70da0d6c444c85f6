package io.gpusched.agent;

import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuReading;

import java.util.List;

/// Reads the GPUs of one node.
public interface GpuProbe {
    /// The devices, in the order of their indices, which start at 0. Called once.
    List<GpuFacts> gpus();

    /// Current metrics of the GPUs. Called every few seconds; unreadable GPUs are left out.
    List<GpuReading> read();
}
