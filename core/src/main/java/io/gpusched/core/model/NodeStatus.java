package io.gpusched.core.model;

/// What people decided about a node, and whether it can be reached.
public record NodeStatus(boolean cordoned, boolean draining, Reach reach) {
    public static final NodeStatus READY = new NodeStatus(false, false, Reach.UP);

    public enum Reach {
        UP,
        /// Silent for a while; its tasks may still run.
        UNREACHABLE,
        /// Silent for so long that its tasks have surely ended.
        LOST
    }

    public boolean open() {
        return !cordoned && !draining && reach == Reach.UP;
    }

    public NodeStatus with(Reach next) {
        return new NodeStatus(cordoned, draining, next);
    }
}
