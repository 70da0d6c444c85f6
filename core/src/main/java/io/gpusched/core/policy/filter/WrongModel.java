package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

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
            return tooFew("too-few-gpus", gpus.size(), "", devices);
        }
        int ofModel = 0;
        int right = 0;
        for (Gpu gpu : gpus) {
            if (shape.acceptsModel(gpu.model())) {
                ofModel++;
                right += gpu.memoryMiB() >= wanted.memoryMiBEach() ? 1 : 0;
            }
        }
        if (right >= devices) {
            return null;
        }
        if (ofModel == 0) {
            return Refusal.untilFleet("gpu-model", "node has none of " + shape.models());
        }
        if (ofModel < devices) {
            return tooFew("too-few-gpus", ofModel, " of " + shape.models(), devices);
        }
        int memoryMiB = wanted.memoryMiBEach();
        return right == 0
                ? Refusal.untilFleet("gpu-memory", "GPUs have less than " + memoryMiB + " MiB each")
                : tooFew("gpu-memory", right, " with " + memoryMiB + " MiB or more", devices);
    }

    private static Refusal tooFew(String by, int there, String which, int devices) {
        return Refusal.untilFleet(
                by,
                "node has " + Plurals.of(there, "GPU") + which + ", a task asks for " + devices);
    }

    @Override
    public boolean fixed() {
        return true;
    }
}
