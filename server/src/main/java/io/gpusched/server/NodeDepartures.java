package io.gpusched.server;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.NodeId;
import io.gpusched.server.cell.Follower;

import java.util.function.Consumer;

/// Tells the agents' end which nodes were removed, so that it forgets them too.
final class NodeDepartures implements Follower.BatchListener {
    private volatile Consumer<NodeId> listener = node -> {};

    /// From now on `other` hears of every removed node.
    void listen(Consumer<NodeId> other) {
        listener = other;
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        for (Event event : batch.facts()) {
            if (event instanceof Event.NodeRemoved removed) {
                listener.accept(removed.node());
            }
        }
    }
}
