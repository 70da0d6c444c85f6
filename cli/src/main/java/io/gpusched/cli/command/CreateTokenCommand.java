package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;

import java.util.List;

/// Creates a token for a tenant's requests, or for agents that join the cluster. The token is
/// printed once; the server cannot show it again.
final class CreateTokenCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "create-token",
                        "Create a token for a tenant, agents or gateways and print it once.")
                .with(TokenOptions.AGENTS, TokenOptions.GATEWAYS)
                .taking(Operand.atMostOne("TENANT", "Id of the tenant."))
                .examples(
                        "Examples:",
                        "  gpu-cli create-token team-a",
                        "  gpu-cli create-token team-a -o name > token    # only the token",
                        "  gpu-cli create-token --agents");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        TokenOptions whose = TokenOptions.of(parsedArguments);
        whose.refuseMoreThan(0, parsedArguments);
        Json answer = cliSession.post(whose.all());
        String id = answer.firstOf("token_id", "id").text();
        String revoke = "gpu-cli revoke-token " + whose.written() + " " + id;
        String token = answer.at("token").text();
        cliSession
                .printer()
                .done(
                        answer,
                        token,
                        () ->
                                List.of(
                                        "Token ID: " + id,
                                        "Token:    " + token,
                                        "Save the token now: it cannot be shown again. Revoke it"
                                                + " with "
                                                + revoke));
        return 0;
    }
}
