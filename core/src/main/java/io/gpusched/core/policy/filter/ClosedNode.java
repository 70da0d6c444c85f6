package io.gpusched.core.policy.filter;

import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RetryCondition;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Keeps new tasks off nodes that are cordoned, draining, unreachable or lost.
public final class ClosedNode implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        NodeStatus status = node.status();
        if (status.open()) {
            return null;
        }
        boolean silent = status.reach() != NodeStatus.Reach.UP;
        return new Refusal(
                "closed",
                why(status),
                List.of(silent ? new RetryCondition.Heard() : new RetryCondition.Opened()));
    }

    private static String why(NodeStatus status) {
        return switch (status.reach()) {
            case LOST -> "node is lost";
            case UNREACHABLE -> "node is unreachable";
            case UP -> status.draining() ? "node is draining" : cordoned(status);
        };
    }

    private static String cordoned(NodeStatus status) {
        return status.cordonedByScheduler()
                ? "node was cordoned by the scheduler because it refused to start jobs"
                : "node is cordoned";
    }
}
