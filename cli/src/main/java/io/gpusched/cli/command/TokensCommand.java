package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;

import java.util.List;

/// Lists the ids of tokens. The tokens themselves are shown only at creation.
final class TokensCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("tokens", "List the ids of a tenant's tokens or of the agents' tokens.")
                .with(TokenOptions.AGENTS, TokenOptions.GATEWAYS)
                .taking(Operand.atMostOne("TENANT", "Id of the tenant."))
                .examples("Examples:", "  gpu-cli tokens team-a", "  gpu-cli tokens --agents");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        TokenOptions whose = TokenOptions.of(parsedArguments);
        whose.refuseMoreThan(0, parsedArguments);
        Json answer = cliSession.ask(whose.all());
        var tableLayout =
                new TableLayout(
                        List.of("token_id", "id"),
                        List.of(
                                Column.of("TOKEN ID", t -> t.firstOf("token_id", "id").text()),
                                Column.of("CREATED", t -> CellText.time(t.at("created_at")))));
        cliSession.printer().list(answer, answer.at("tokens").items(), tableLayout);
        return 0;
    }
}
