package io.gpusched.sim.pools;

import io.gpusched.core.drive.Driver;
import io.gpusched.core.event.Command;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.nodes.NodeView;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Leaves a pool as much capacity as there was: of nodes for one replica each it closes the empty
/// ones that other jobs would have used. Running replicas stay where they are.
final class RoomKeeper {
    private final List<Node> nodes;
    private final List<PoolCase.RoomAt> rooms;
    private final Set<NodeId> closed = new HashSet<>();
    private int next;
    private int replicas = Integer.MAX_VALUE;

    RoomKeeper(List<Node> nodes, List<PoolCase.RoomAt> rooms) {
        this.nodes = nodes;
        this.rooms = rooms;
    }

    void keep(Driver driver) {
        while (next < rooms.size() && !rooms.get(next).at().isAfter(driver.now())) {
            replicas = rooms.get(next++).replicas();
        }
        if (replicas >= nodes.size() && closed.isEmpty()) {
            return;
        }
        int open = replicas;
        for (Node node : nodes) {
            open -= isEmpty(driver, node.id()) ? 0 : 1;
        }
        for (Node node : nodes) {
            if (isEmpty(driver, node.id())) {
                set(driver, node.id(), open-- <= 0);
            }
        }
    }

    private static boolean isEmpty(Driver driver, NodeId id) {
        NodeView node = driver.state().nodes().find(id);
        return node == null || !node.jobs().iterator().hasNext();
    }

    private void set(Driver driver, NodeId id, boolean close) {
        if (close && closed.add(id)) {
            driver.tell(new Command.Cordon(id, PoolRun.BY));
        } else if (!close && closed.remove(id)) {
            driver.tell(new Command.Uncordon(id, PoolRun.BY));
        }
    }
}
