package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

/// The name of a tenant: a team, a project, a customer.
public record TenantId(String name) implements Comparable<TenantId> {
    public TenantId {
        Check.that(!name.isEmpty(), "the name is empty");
    }

    // Ids are looked up very often, and this is several times as fast as the generated methods.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof TenantId id && name.equals(id.name));
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public int compareTo(TenantId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
