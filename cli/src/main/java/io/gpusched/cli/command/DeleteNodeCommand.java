package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Forgets nodes that will not come back. Its agent must have been stopped; if it is started again,
/// the node joins anew.
final class DeleteNodeCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("delete-node", "Forget nodes that will not come back.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli delete-node node-3");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.rest().call("DELETE", ApiPath.to("nodes", id));
                    cliSession.tell(answer, id, id + ": removed");
                });
    }
}
