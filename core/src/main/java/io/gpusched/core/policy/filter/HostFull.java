package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// Refuses nodes without enough free cores or memory.
public final class HostFull implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        if (shape.host().milliCpu() > node.freeMilliCpu()) {
            return Refusal.untilCapacity("cpu", "not enough free CPU cores");
        }
        if (shape.host().memoryMiB() > node.freeMemoryMiB()) {
            return Refusal.untilCapacity("memory", "not enough free memory");
        }
        return null;
    }
}
