package io.gpusched.server;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus.Reach;
import io.gpusched.core.state.ClusterView;
import io.gpusched.server.cell.Follower;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.Map;

/// Logs when a node becomes unreachable, is lost, and comes back, so that an operator finds it in
/// the log without asking the API.
final class NodeEventLog implements Follower.BatchListener {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEventLog.class);

    private final Map<NodeId, Reach> away = new HashMap<>();

    /// @param before the cluster before the first batch
    NodeEventLog(ClusterView before) {
        before.nodes().all().forEach(node -> note(node.facts().id(), node.status().reach()));
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        batch.facts().forEach(this::log);
        batch.decided().forEach(this::log);
    }

    private void log(Event event) {
        if (event instanceof Event.NodeChanged changed) {
            Reach now = changed.status().reach();
            if (note(changed.node(), now) != now) {
                log(changed, now);
            }
        } else if (event instanceof Event.NodeRemoved removed) {
            away.remove(removed.node());
        }
    }

    private static void log(Event.NodeChanged changed, Reach now) {
        String why = changed.reason().isEmpty() ? "" : ": " + changed.reason();
        switch (now) {
            case UP -> LOG.info("node {} is back{}", changed.node(), why);
            case UNREACHABLE ->
                    LOG.warn(
                            "node {} is unreachable{}; its jobs may still run",
                            changed.node(),
                            why);
            case LOST ->
                    LOG.warn("node {} is lost{}; its jobs start elsewhere", changed.node(), why);
        }
    }

    /// Records the node's new reachability and returns the one before.
    private Reach note(NodeId node, Reach now) {
        Reach before = now == Reach.UP ? away.remove(node) : away.put(node, now);
        return before == null ? Reach.UP : before;
    }
}
