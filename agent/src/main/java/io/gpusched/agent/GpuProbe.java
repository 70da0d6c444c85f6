package io.gpusched.agent;

import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuReading;

import java.util.List;

/// Looks at the GPUs of one node.
public interface GpuProbe {
    /// The devices, in the order of their indices, which start at 0. Asked once.
    List<GpuFacts> gpus();

    /// How they are doing at this moment. Asked every few seconds; what cannot be read is left out.
    List<GpuReading> read();
}
