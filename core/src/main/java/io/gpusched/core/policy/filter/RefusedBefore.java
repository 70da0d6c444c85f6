package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Keeps a job off nodes that refused to start it.
///
///     n1 refused job-7 at 10:00   →   until 11:00 job-7 goes to n2, or waits; job-8 may go to n1
public final class RefusedBefore implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        for (Avoidance one : shape.avoids()) {
            if (one.node().equals(node.facts().id())) {
                return new Refusal(
                        "refused-before",
                        one.why().isEmpty()
                                ? "node refused to start this job"
                                : "node refused to start this job: " + one.why(),
                        List.of(new RetryCondition.At(one.until())));
            }
        }
        return null;
    }
}
