package io.gpusched.core.model;

/// The name of a tenant: a team, a project, a customer.
public record TenantId(String name) implements Comparable<TenantId> {
    public TenantId {
        Check.that(!name.isEmpty(), "the name is empty");
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
