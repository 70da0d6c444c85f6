package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;

/// Lists tokens by their ids; their text is shown by nobody after they were made.
final class Tokens implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("tokens", "List the tokens of a tenant or of agents.")
                .with(TokenWords.AGENTS)
                .taking(Operand.atMostOne("TENANT", "Id of the tenant."))
                .examples("Examples:", "  gpu-cli tokens team-a", "  gpu-cli tokens --agents");
    }

    @Override
    public int run(Session session, Typed typed) {
        TokenWords whose = TokenWords.of(typed);
        whose.refuseMoreThan(0, typed);
        Json answer = session.ask(whose.all());
        var sheet =
                new Sheet(
                        List.of("token_id", "id"),
                        List.of(
                                Column.of("TOKEN ID", t -> t.firstOf("token_id", "id").text()),
                                Column.of("CREATED", t -> Cells.time(t.at("created_at")))));
        session.printer().list(answer, answer.at("tokens").items(), sheet);
        return 0;
    }
}
