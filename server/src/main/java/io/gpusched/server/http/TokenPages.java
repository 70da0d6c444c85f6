package io.gpusched.server.http;

import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Token;
import io.gpusched.server.auth.Tokens;

import java.util.function.Predicate;

/// Tokens of tenants (`/api/v1/tenants/{id}/tokens`) and of agents (`/api/v1/agents/tokens`): made,
/// listed without their text, revoked.
final class TokenPages {
    private final Lookups lookups;
    private final Tokens tokens;

    TokenPages(Lookups lookups, Tokens tokens) {
        this.lookups = lookups;
        this.tokens = tokens;
    }

    Reply make(Asked asked) {
        return made(tokens.mint(Token.Kind.MEMBER, tenant(asked).name()));
    }

    Reply list(Asked asked) {
        return listed(ofTenant(tenant(asked)));
    }

    /// Revokes one token, or all of the tenant's where none is named.
    Reply revoke(Asked asked) {
        TenantId tenant = tenant(asked);
        String id = asked.path("token");
        return revoked(ofTenant(tenant).and(token -> id.isEmpty() || token.id().equals(id)), id);
    }

    Reply makeJoin(Asked asked) {
        return made(tokens.mint(Token.Kind.JOIN, ""));
    }

    Reply listJoin(Asked asked) {
        return listed(token -> token.kind() == Token.Kind.JOIN);
    }

    Reply revokeJoin(Asked asked) {
        String id = asked.path("token");
        return revoked(token -> token.kind() == Token.Kind.JOIN && token.id().equals(id), id);
    }

    private static Reply made(Tokens.Minted minted) {
        return Reply.json(
                201,
                new JsonOut()
                        .object()
                        .field("token_id", minted.token().id())
                        .field("token", minted.text())
                        .endObject());
    }

    private Reply listed(Predicate<Token> wanted) {
        var out = new JsonOut().object().name("tokens").array();
        int total = 0;
        for (Token token : tokens.matching(wanted)) {
            out.object().field("token_id", token.id()).field("created_at", token.made());
            out.endObject();
            total++;
        }
        return Reply.ok(out.endArray().field("total", total).endObject());
    }

    private Reply revoked(Predicate<Token> unwanted, String id) {
        int count = tokens.revoke(unwanted);
        if (count == 0 && !id.isEmpty()) {
            throw Fault.unknown("token", id, "the same path without the id");
        }
        return Reply.message(count + (count == 1 ? " token revoked" : " tokens revoked"));
    }

    private TenantId tenant(Asked asked) {
        return lookups.tenant(asked).tenant().id();
    }

    private static Predicate<Token> ofTenant(TenantId tenant) {
        return token -> token.kind() == Token.Kind.MEMBER && token.subject().equals(tenant.name());
    }
}
