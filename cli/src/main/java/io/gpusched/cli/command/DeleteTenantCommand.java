package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Removes tenants without jobs, and their tokens.
final class DeleteTenantCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("delete-tenant", "Remove tenants without jobs, and their tokens.")
                .taking(Operand.several("TENANT", "Ids of the tenants."))
                .examples("Example:", "  gpu-cli delete-tenant team-a");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.rest().call("DELETE", ApiPath.to("tenants", id));
                    cliSession.report(answer, id, id + ": removed");
                });
    }
}
