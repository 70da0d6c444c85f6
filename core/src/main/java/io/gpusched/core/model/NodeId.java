package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

/// The name of one machine, unique in a cell.
public record NodeId(String name) implements Comparable<NodeId> {
    public NodeId {
        Check.that(!name.isEmpty(), "the name is empty");
    }

    // Ids are looked up very often, and this is several times as fast as the generated methods.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof NodeId id && name.equals(id.name));
    }

    @Override
    public int hashCode() {
        return name.hashCode();
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
