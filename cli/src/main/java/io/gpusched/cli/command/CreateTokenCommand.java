package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;

import java.util.List;

/// Makes a token with which a tenant can speak to the server, or an agent can join it. It is shown
/// once and never again.
final class CreateTokenCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("create-token", "Make a token for a tenant or for agents; shown once.")
                .with(TokenOptions.AGENTS)
                .taking(Operand.atMostOne("TENANT", "Id of the tenant."))
                .examples(
                        "Examples:",
                        "  gpu-cli create-token team-a",
                        "  gpu-cli create-token team-a -o name > token    # the token alone",
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
                                        "Keep it: it is not shown again. Revoke it with "
                                                + revoke));
        return 0;
    }
}
