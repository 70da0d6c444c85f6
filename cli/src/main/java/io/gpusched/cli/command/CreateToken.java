package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Makes a token with which a tenant can speak to the server. It is shown once and never again.
@Command(
        name = "create-token",
        description = "Make a token for a tenant; it is shown only once.",
        footer = {"", "Example:", "  gpu-cli create-token team-a"})
public final class CreateToken implements Action {
    @Parameters(paramLabel = "TENANT", description = "Id of the tenant.")
    String tenant = "";

    @Override
    public int run(Session session) {
        Json answer = session.post(Route.to("tenants", tenant, "tokens"), Json.Nil.NIL);
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
