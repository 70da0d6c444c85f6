package io.gpusched.core.model;

/// The name of an agent: the process that represents one or more nodes.
public record AgentId(String name) implements Comparable<AgentId> {
    public AgentId {
        Check.that(!name.isEmpty(), "the name is empty");
    }

    @Override
    public int compareTo(AgentId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
