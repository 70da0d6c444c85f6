package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Removes nodes from the cluster. The agent must be stopped first; if it starts again, the node
/// joins again.
final class DeleteNodeCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("delete-node", "Remove nodes whose agent is stopped.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli delete-node node-3");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.rest().call("DELETE", ApiPath.to("nodes", id));
                    cliSession.report(answer, id, id + ": removed");
                });
    }
}
