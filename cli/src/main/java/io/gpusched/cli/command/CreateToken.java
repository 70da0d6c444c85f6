package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;

/// Makes a token with which a tenant can speak to the server. It is shown once and never again.
final class CreateToken implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("create-token", "Make a token for a tenant; it is shown only once.")
                .taking(Operand.one("TENANT", "Id of the tenant."))
                .examples("Example:", "  gpu-cli create-token team-a");
    }

    @Override
    public int run(Session session, Typed typed) {
        String tenant = typed.operand(0);
        Json answer = session.post(Route.to("tenants", tenant, "tokens"));
        String id = answer.firstOf("token_id", "id").text();
        session.printer()
                .done(
                        answer,
                        id,
                        () ->
                                List.of(
                                        "Token ID: " + id,
                                        "Token:    " + answer.at("token").text(),
                                        "Keep it: it is not shown again. Revoke it with"
                                                + " gpu-cli revoke-token "
                                                + tenant
                                                + " "
                                                + id));
        return 0;
    }
}
