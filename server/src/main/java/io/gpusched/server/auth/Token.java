package io.gpusched.server.auth;

import io.gpusched.core.model.TenantId;

import java.time.Instant;

/// A token as the server keeps it: with the hash of its secret and without its text.
///
/// @param subject the tenant of a member's token; empty for the others
/// @param hash SHA-256 of the secret part, in hexadecimal
public record Token(String id, Kind kind, String subject, String hash, Instant made) {
    public enum Kind {
        ADMIN,
        MEMBER,
        JOIN,
        GATEWAY
    }

    Caller caller() {
        return switch (kind) {
            case ADMIN -> new Caller.Admin("admin/" + id);
            case MEMBER -> new Caller.Member(new TenantId(subject), id);
            case JOIN -> new Caller.Joiner(id);
            case GATEWAY -> new Caller.Gateway(id);
        };
    }
}
