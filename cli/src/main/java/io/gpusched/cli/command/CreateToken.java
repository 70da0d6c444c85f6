package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;

/// Makes a token with which a tenant can speak to the server, or an agent can join it. It is shown
/// once and never again.
final class CreateToken implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("create-token", "Make a token for a tenant or for agents; shown once.")
                .with(TokenWords.AGENTS)
                .taking(Operand.atMostOne("TENANT", "Id of the tenant."))
                .examples(
                        "Examples:",
                        "  gpu-cli create-token team-a",
                        "  gpu-cli create-token team-a -o name > token    # the token alone",
                        "  gpu-cli create-token --agents");
    }

    @Override
    public int run(Session session, Typed typed) {
        TokenWords whose = TokenWords.of(typed);
        whose.refuseMoreThan(0, typed);
        Json answer = session.post(whose.all());
        String id = answer.firstOf("token_id", "id").text();
        String revoke = "gpu-cli revoke-token " + whose.written() + " " + id;
        String token = answer.at("token").text();
        session.printer()
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
