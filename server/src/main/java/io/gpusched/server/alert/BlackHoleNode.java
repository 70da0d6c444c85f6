package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.NodeRow;

import java.util.List;

/// A node that accepts jobs and starts none: it refuses one after the other, so without a remedy it
/// would swallow the whole queue. The scheduler cordons such a node by itself.
final class BlackHoleNode implements AlertCondition {
    private final long limit;

    BlackHoleNode(long limit) {
        this.limit = limit;
    }

    @Override
    public AlertName name() {
        return AlertName.BLACK_HOLE_NODE;
    }

    @Override
    public double threshold() {
        return limit;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().nodes().all().stream()
                .filter(
                        node ->
                                node.status().cordonedByScheduler()
                                        || !node.status().cordoned()
                                                && node.refusals().size() >= limit)
                .map(this::finding)
                .toList();
    }

    private Finding finding(NodeRow node) {
        String name = node.facts().id().name();
        boolean cordoned = node.status().cordonedByScheduler();
        return new Finding(
                AlertSubject.of(node.facts().id()),
                Finding.Level.EXCEEDED,
                cordoned ? Severity.CRITICAL : Severity.WARNING,
                node.refusals().size(),
                limit,
                "node %s refused to start %s that then started elsewhere; the limit is %d%s"
                        .formatted(
                                name,
                                Plurals.of(node.refusals().size(), "job"),
                                limit,
                                cordoned ? ". The scheduler cordoned it" : ""),
                "find the cause with gpu-cli nodes %s and the agent's log; when it is mended: gpu-cli uncordon %s"
                        .formatted(name, name));
    }
}
