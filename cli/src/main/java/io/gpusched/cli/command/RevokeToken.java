package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Makes a token worthless at once.
@Command(
        name = "revoke-token",
        description = "Make a token of a tenant worthless.",
        footer = {"", "Example:", "  gpu-cli revoke-token team-a tok-1"})
public final class RevokeToken implements Action {
    @Parameters(index = "0", paramLabel = "TENANT", description = "Id of the tenant.")
    String tenant = "";

    @Parameters(index = "1", paramLabel = "TOKEN_ID", description = "Id of the token.")
    String token = "";

    @Override
    public int run(Session session) {
        Json answer = session.rest().call("DELETE", Route.to("tenants", tenant, "tokens", token));
        session.tell(answer, token, token + ": revoked");
        return 0;
    }
}
