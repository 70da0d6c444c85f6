package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

/// The name of a pool of replicas.
public record PoolId(String name) implements Comparable<PoolId> {
    public PoolId {
        Check.that(!name.isEmpty(), "the name is empty");
    }

    @Override
    public int compareTo(PoolId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
