package io.gpusched.server.auth;

import io.gpusched.core.model.TenantId;

/// The caller of the API, as identified by its token.
public sealed interface Caller {
    /// May see and change everything. On loopback, every caller without a token is an
    /// administrator.
    record Admin(String name) implements Caller {}

    /// Acts for one tenant and sees nothing of other tenants.
    record Member(TenantId tenant, String token) implements Caller {}

    /// An agent: may join and report, nothing else.
    record Joiner(String token) implements Caller {}

    /// A gateway: reads pools and bindings of all tenants and reports load, nothing else.
    record Gateway(String token) implements Caller {}

    /// The caller's name, as the journal records it with a command.
    default String label() {
        return switch (this) {
            case Admin admin -> admin.name;
            case Member member -> member.tenant + "/" + member.token;
            case Joiner joiner -> "agent/" + joiner.token;
            case Gateway gateway -> "gateway/" + gateway.token;
        };
    }

    /// Whether the caller may see and change what belongs to `tenant`. A gateway serves all
    /// tenants; the routes that admit it are few.
    default boolean mayTouch(TenantId tenant) {
        return switch (this) {
            case Admin admin -> true;
            case Member member -> member.tenant.equals(tenant);
            case Joiner joiner -> false;
            case Gateway gateway -> true;
        };
    }

    default boolean isAdmin() {
        return this instanceof Admin;
    }
}
