package io.gpusched.server.live;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.NodeClosure;

/// Describes what happened to a node in sentences.
final class NodeText {
    private NodeText() {}

    static String changed(Event.NodeChanged e, EventKind kind) {
        String what =
                switch (kind) {
                    case NODE_LOST -> " is lost, and its jobs start elsewhere";
                    case NODE_UNREACHABLE -> " is unreachable; its jobs may still run";
                    case NODE_BACK -> " is back";
                    case NODE_DRAINING -> " is being drained";
                    case NODE_CORDONED -> " takes no new jobs";
                    case NODE_UNCORDONED -> " takes new jobs again";
                    default -> " is reachable and takes new jobs";
                };
        String why = e.reason().isEmpty() ? "" : ": " + e.reason();
        NodeClosure closure = e.status().nodeClosure();
        boolean told = closure.why().isEmpty() || e.reason().contains(closure.why());
        boolean closes = kind == EventKind.NODE_DRAINING || kind == EventKind.NODE_CORDONED;
        return "node "
                + e.node()
                + what
                + why
                + (told || !closes ? "" : " (" + closure.why() + ")");
    }

    static String gpu(Event.GpuChanged e, EventKind kind) {
        String reason = e.condition().reason().isEmpty() ? "" : ": " + e.condition().reason();
        return "GPU "
                + e.gpu()
                + " of node "
                + e.node()
                + switch (kind) {
                    case GPU_UNFIT -> " is unfit" + reason;
                    case GPU_HOT -> " is too hot for new jobs";
                    default -> " takes new jobs again";
                };
    }
}
