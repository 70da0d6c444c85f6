package io.gpusched.server;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.NodeId;
import io.gpusched.server.cell.Follower;

import java.util.function.Consumer;

/// Calls `onRemoved` for every node that was removed, so that the agent services forget it too.
record RemovedNodes(Consumer<NodeId> onRemoved) implements Follower.BatchListener {
    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        for (Event event : batch.facts()) {
            if (event instanceof Event.NodeRemoved removed) {
                onRemoved.accept(removed.node());
            }
        }
    }
}
