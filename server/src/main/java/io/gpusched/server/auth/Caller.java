package io.gpusched.server.auth;

import io.gpusched.core.model.TenantId;

/// The caller of an API, as its token names it.
public sealed interface Caller {
    /// May see and touch everything. On loopback without a token, that is everybody.
    record Admin(String name) implements Caller {}

    /// Speaks for one tenant and sees nothing of the others.
    record Member(TenantId tenant, String token) implements Caller {}

    /// An agent: may join and report, nothing else.
    record Joiner(String token) implements Caller {}

    /// As recorded beside what was asked.
    default String label() {
        return switch (this) {
            case Admin admin -> admin.name;
            case Member member -> member.tenant + "/" + member.token;
            case Joiner joiner -> "agent/" + joiner.token;
        };
    }

    /// Whether what belongs to `tenant` may be seen and touched.
    default boolean mayTouch(TenantId tenant) {
        return switch (this) {
            case Admin admin -> true;
            case Member member -> member.tenant.equals(tenant);
            case Joiner joiner -> false;
        };
    }

    default boolean isAdmin() {
        return this instanceof Admin;
    }
}
