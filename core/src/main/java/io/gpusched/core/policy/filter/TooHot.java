package io.gpusched.core.policy.filter;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Keeps tasks off GPUs that are about to throttle.
///
///     n1: [cool cool HOT warm]   a task for 4 whole GPUs → refused, lifted when n1 cools
public final class TooHot implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        if (!(shape.gpus() instanceof GpuRequest.Whole whole)) {
            return null; // The fitter places shares and slices around hot GPUs.
        }
        int devices = whole.count();
        int free = Long.bitCount(node.freeGpus());
        int cool = Long.bitCount(node.freeGpus() & ~node.hotGpus());
        return cool >= devices || free < devices
                ? null
                : new Refusal(
                        "too-hot", "free GPUs are too hot", List.of(new RetryCondition.Cooled()));
    }
}
