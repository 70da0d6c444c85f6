package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;

/// Revokes tokens at once: one, or with `--all` all tokens of a tenant.
final class RevokeTokenCommand implements CliCommand {
    private static final Option<Boolean> ALL =
            Option.flag("--all", "Revoke all tokens of the tenant.");

    @Override
    public Syntax syntax() {
        return Syntax.of("revoke-token", "Revoke one token or all tokens of a tenant.")
                .with(TokenOptions.AGENTS, ALL)
                .taking(
                        Operand.atMostOne("TENANT", "Id of the tenant."),
                        Operand.atMostOne("TOKEN_ID", "Id of the token."))
                .examples(
                        "Examples:",
                        "  gpu-cli revoke-token team-a tok-1",
                        "  gpu-cli revoke-token team-a --all",
                        "  gpu-cli revoke-token --agents tok-2");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        TokenOptions whose = TokenOptions.of(parsedArguments);
        boolean all = parsedArguments.of(ALL);
        whose.refuseMoreThan(all ? 0 : 1, parsedArguments);
        String token = parsedArguments.operand(whose.next());
        if (!all && token.isEmpty()) {
            throw new UsageError("missing TOKEN_ID, or --all");
        }
        Json answer = cliSession.rest().call("DELETE", all ? whose.all() : whose.one(token));
        cliSession.report(
                answer, token, all ? whose.written() + ": all revoked" : token + ": revoked");
        return 0;
    }
}
