package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Chooses the GPU for a share so that the least is expected to be wasted, the first among equals.
/// Everything else is left to [TightFit].
public final class ExpectedWasteFit implements Fitter {
    private final ExpectedWaste scorer;
    private final TightFit tight = new TightFit();

    /// @param scorer whose tables are shared
    public ExpectedWasteFit(ExpectedWaste scorer) {
        this.scorer = scorer;
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        if (!(shape.gpus() instanceof GpuRequest.Share share) || share.count() > 1) {
            return tight.fit(shape, node, cluster);
        }
        Waste waste = scorer.waste(cluster);
        Left left = Left.of(node);
        Grant best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int gpu = 0; gpu < left.milli.length; gpu++) {
            if (TightFit.takes(shape, share, node, gpu)) {
                var grant = new Grant.Shares(1L << gpu, share.milli(), share.memoryMiB());
                left.take(grant, shape.host().milliCpu());
                double wasted = waste.of(left);
                left.giveBack(grant, shape.host().milliCpu());
                if (wasted < least) {
                    least = wasted;
                    best = grant;
                }
            }
        }
        return best;
    }
}
