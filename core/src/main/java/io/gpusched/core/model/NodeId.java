package io.gpusched.core.model;

/// The name of one machine, unique in a cell.
public record NodeId(String name) implements Comparable<NodeId> {
    public NodeId {
        Check.that(!name.isEmpty(), "the name is empty");
    }

    @Override
    public int compareTo(NodeId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
