package io.gpusched.server.http;

import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Token;
import io.gpusched.server.auth.Tokens;

import java.util.function.Predicate;

/// Tokens of tenants (`/api/v1/tenants/{id}/tokens`), of agents (`/api/v1/agents/tokens`) and of
/// gateways (`/api/v1/gateways/tokens`): create, list without their text, revoke.
final class TokenHandlers {
    private final Lookups lookups;
    private final Tokens tokens;

    TokenHandlers(Lookups lookups, Tokens tokens) {
        this.lookups = lookups;
        this.tokens = tokens;
    }

    Response make(Request request) {
        return made(tokens.mint(Token.Kind.MEMBER, tenant(request).name()));
    }

    Response list(Request request) {
        return listed(ofTenant(tenant(request)));
    }

    /// Revokes one token, or all tokens of the tenant if none is named.
    Response revoke(Request request) {
        TenantId tenant = tenant(request);
        String id = request.path("token");
        return revoked(ofTenant(tenant).and(token -> id.isEmpty() || token.id().equals(id)), id);
    }

    Response makeJoin(Request request) {
        return made(tokens.mint(Token.Kind.JOIN, ""));
    }

    Response listJoin(Request request) {
        return listed(token -> token.kind() == Token.Kind.JOIN);
    }

    Response revokeJoin(Request request) {
        String id = request.path("token");
        return revoked(token -> token.kind() == Token.Kind.JOIN && token.id().equals(id), id);
    }

    Response makeGateway(Request request) {
        return made(tokens.mint(Token.Kind.GATEWAY, ""));
    }

    Response listGateway(Request request) {
        return listed(token -> token.kind() == Token.Kind.GATEWAY);
    }

    Response revokeGateway(Request request) {
        String id = request.path("token");
        return revoked(token -> token.kind() == Token.Kind.GATEWAY && token.id().equals(id), id);
    }

    private static Response made(Tokens.Minted minted) {
        return Response.json(
                201,
                new JsonOutput()
                        .object()
                        .field("token_id", minted.token().id())
                        .field("token", minted.text())
                        .endObject());
    }

    private Response listed(Predicate<Token> wanted) {
        var out = new JsonOutput().object().name("tokens").array();
        int total = 0;
        for (Token token : tokens.matching(wanted)) {
            out.object().field("token_id", token.id()).field("created_at", token.made());
            out.endObject();
            total++;
        }
        return Response.ok(out.endArray().field("total", total).endObject());
    }

    private Response revoked(Predicate<Token> unwanted, String id) {
        int count = tokens.revoke(unwanted);
        if (count == 0 && !id.isEmpty()) {
            throw HttpError.unknown("token", id, "the same path without the id");
        }
        return Response.message(count + (count == 1 ? " token revoked" : " tokens revoked"));
    }

    private TenantId tenant(Request request) {
        return lookups.tenant(request).tenant().id();
    }

    private static Predicate<Token> ofTenant(TenantId tenant) {
        return token -> token.kind() == Token.Kind.MEMBER && token.subject().equals(tenant.name());
    }
}
