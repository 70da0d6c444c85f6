package io.gpusched.server.alert;

import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.NodeRow;

import java.util.List;

/// A node no longer answers. A node that an operator cordoned or drained first is under
/// maintenance and does not count.
final class NodeLost implements AlertCondition {
    @Override
    public AlertName name() {
        return AlertName.NODE_LOST;
    }

    @Override
    public double threshold() {
        return Double.NaN;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().nodes().all().stream()
                .filter(NodeLost::isMissing)
                .map(NodeLost::finding)
                .toList();
    }

    /// Whether the node should answer and does not.
    static boolean isMissing(NodeRow node) {
        NodeStatus status = node.status();
        boolean planned = (status.cordoned() || status.draining()) && !status.cordonedByScheduler();
        return !node.online() && !planned;
    }

    private static Finding finding(NodeRow node) {
        String name = node.facts().id().name();
        boolean lost = node.status().reach() == NodeStatus.Reach.LOST;
        return new Finding(
                AlertSubject.of(node.facts().id()),
                Finding.Level.EXCEEDED,
                lost ? Severity.CRITICAL : Severity.WARNING,
                node.totalGpus(),
                0,
                "node %s with %s %s"
                        .formatted(
                                name,
                                Plurals.of(node.totalGpus(), "GPU"),
                                lost
                                        ? "is lost; its jobs were requeued"
                                        : "does not answer; its jobs may still run"),
                "check the machine and its agent, see gpu-cli nodes %s; if it does not come back: gpu-cli delete-node %s"
                        .formatted(name, name));
    }
}
