package io.gpusched.core.model;

/// Whether a node takes new tasks, and whether it can be reached.
///
/// @param cordoned takes no new tasks
/// @param draining takes no new tasks and is being emptied
/// @param nodeClosure the reason of the cordon or drain; [NodeClosure#NONE] for neither
public record NodeStatus(boolean cordoned, boolean draining, Reach reach, NodeClosure nodeClosure) {
    public static final NodeStatus READY = new NodeStatus(false, false, Reach.UP);

    public enum Reach {
        UP,
        /// Silent for a while; its tasks may still run.
        UNREACHABLE,
        /// Silent for so long that its tasks have surely ended.
        LOST
    }

    /// A status without a recorded closure.
    public NodeStatus(boolean cordoned, boolean draining, Reach reach) {
        this(cordoned, draining, reach, NodeClosure.NONE);
    }

    public boolean open() {
        return !cordoned && !draining && reach == Reach.UP;
    }

    /// Whether the scheduler cordoned it by itself.
    public boolean cordonedByScheduler() {
        return cordoned && !draining && nodeClosure.isAutomatic();
    }

    public NodeStatus with(Reach next) {
        return new NodeStatus(cordoned, draining, next, nodeClosure);
    }

    /// The status after a cordon. A node that is being drained keeps draining.
    public NodeStatus cordon(NodeClosure by) {
        return new NodeStatus(true, draining, reach, draining ? nodeClosure : by);
    }

    /// The status after a drain.
    public NodeStatus drain(NodeClosure by) {
        return new NodeStatus(cordoned, true, reach, by);
    }

    /// The status after an uncordon: the node takes new tasks again.
    public NodeStatus reopen() {
        return new NodeStatus(false, false, reach);
    }
}
