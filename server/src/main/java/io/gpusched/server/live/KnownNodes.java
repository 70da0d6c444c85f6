package io.gpusched.server.live;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.NodeStatus.Reach;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The last known condition of every node, so that an event can be told as a change.
final class KnownNodes {
    /// @param unfit GPUs that must not be used, one bit each
    /// @param hot GPUs that are too hot, one bit each
    private record Known(NodeStatus status, long unfit, long hot) {
        static final Known NEW = new Known(NodeStatus.READY, 0, 0);
    }

    private final Map<NodeId, Known> nodes = new HashMap<>();
    private final TreeSet<NodeId> draining = new TreeSet<>();

    void begin(ClusterView state) {
        for (NodeView node : state.nodes().all()) {
            NodeId id = node.facts().id();
            nodes.put(id, new Known(node.status(), node.unfitGpus(), node.hotGpus()));
            if (node.status().draining() && node.jobs().iterator().hasNext()) {
                draining.add(id);
            }
        }
    }

    /// Whether the node is new.
    boolean joined(NodeId node) {
        return nodes.putIfAbsent(node, Known.NEW) == null;
    }

    void removed(NodeId node) {
        nodes.remove(node);
        draining.remove(node);
    }

    /// What kind of change it is; null for none that people notice.
    @Nullable EventKind changed(Event.NodeChanged e) {
        Known before = nodes.get(e.node());
        NodeStatus now = e.status();
        nodes.put(
                e.node(),
                before == null ? new Known(now, 0, 0) : new Known(now, before.unfit, before.hot));
        if (!now.draining()) {
            draining.remove(e.node());
        } else if (before == null || !before.status.draining()) {
            draining.add(e.node());
        }
        return before == null ? alone(now) : compared(before.status, now);
    }

    private static @Nullable EventKind compared(NodeStatus before, NodeStatus now) {
        if (before.reach() != now.reach()) {
            return reach(now);
        }
        boolean isSame =
                before.draining() == now.draining()
                        && before.cordoned() == now.cordoned()
                        && before.nodeClosure().equals(now.nodeClosure());
        return isSame ? null : closure(now);
    }

    /// The kind of a change whose state before is not known. An open node may be back or be
    /// uncordoned: only that it has changed is certain.
    private static EventKind alone(NodeStatus now) {
        return now.open()
                ? EventKind.NODE_CHANGED
                : now.reach() == Reach.UP ? closure(now) : reach(now);
    }

    private static EventKind reach(NodeStatus now) {
        return switch (now.reach()) {
            case UP -> EventKind.NODE_BACK;
            case UNREACHABLE -> EventKind.NODE_UNREACHABLE;
            case LOST -> EventKind.NODE_LOST;
        };
    }

    private static EventKind closure(NodeStatus now) {
        return now.draining()
                ? EventKind.NODE_DRAINING
                : now.cordoned() ? EventKind.NODE_CORDONED : EventKind.NODE_UNCORDONED;
    }

    /// What kind of change it is; null if the GPU is as usable as before.
    @Nullable EventKind gpuChanged(Event.GpuChanged e) {
        Known before = nodes.get(e.node());
        long bit = 1L << e.gpu();
        boolean unfit = !e.condition().fit();
        boolean hot = e.condition().heat() == Heat.HOT;
        Known known = before == null ? Known.NEW : before;
        var after =
                new Known(
                        known.status,
                        unfit ? known.unfit | bit : known.unfit & ~bit,
                        hot ? known.hot | bit : known.hot & ~bit);
        if (before != null) {
            nodes.put(e.node(), after);
            if (after.equals(before)) {
                return null;
            }
        }
        return unfit ? EventKind.GPU_UNFIT : hot ? EventKind.GPU_HOT : EventKind.GPU_OK;
    }

    /// The draining nodes on which no job runs any more, each once.
    List<NodeId> drained(ClusterView state) {
        if (draining.isEmpty()) {
            return List.of();
        }
        var drained = new ArrayList<NodeId>();
        for (NodeId id : draining) {
            NodeView node = state.nodes().find(id);
            if (node == null || !node.jobs().iterator().hasNext()) {
                drained.add(id);
            }
        }
        drained.forEach(draining::remove);
        return drained;
    }
}
