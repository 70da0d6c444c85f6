package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Toleration;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Refuses nodes with a taint that the job does not tolerate. `PreferNoSchedule` is only a
/// preference and refuses nothing.
public final class Tainted implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        for (Taint taint : node.facts().taints()) {
            if (!taint.effect().equals("PreferNoSchedule") && !tolerated(shape, taint)) {
                String written = taint.key() + "=" + taint.value();
                return new Refusal(
                        "taint",
                        "node is tainted " + written,
                        List.of(
                                new RetryCondition.Changed(
                                        "the job tolerates "
                                                + written
                                                + ", or the taint is removed")));
            }
        }
        return null;
    }

    private static boolean tolerated(Shape shape, Taint taint) {
        for (Toleration toleration : shape.tolerates()) {
            if (toleration.covers(taint)) {
                return true;
            }
        }
        return shape.capacity().tolerates(taint);
    }

    @Override
    public boolean fixed() {
        return true;
    }
}
