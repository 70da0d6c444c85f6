package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Refuses nodes without enough GPUs of the requested models and memory, even when all are idle.
public final class WrongModel implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        GpuRequest wanted = shape.gpus();
        int devices = wanted.devices();
        if (devices == 0) {
            return null;
        }
        var gpus = node.facts().gpus();
        if (gpus.size() < devices) {
            return Refusal.untilFleet(
                    "too-few-gpus",
                    "node has "
                            + gpus.size()
                            + (gpus.size() == 1 ? " GPU" : " GPUs")
                            + ", a task asks for "
                            + devices);
        }
        int right = 0;
        boolean modelSeen = false;
        for (Gpu gpu : gpus) {
            boolean model = shape.acceptsModel(gpu.model());
            modelSeen |= model;
            if (model && gpu.memoryMiB() >= wanted.memoryMiBEach()) {
                right++;
            }
        }
        if (right >= devices) {
            return null;
        }
        return modelSeen
                ? Refusal.untilFleet(
                        "gpu-memory", "GPUs have less than " + wanted.memoryMiBEach() + " MiB each")
                : Refusal.untilFleet("gpu-model", "node has none of " + shape.models());
    }

    @Override
    public boolean fixed() {
        return true;
    }
}
