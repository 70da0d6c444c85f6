package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Keeps new work away from nodes; what runs there goes on.
final class CordonCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("cordon", "Place nothing new on nodes.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli cordon node-3");
    }

    /// A node that is being emptied already stays so; it takes nothing new either.
    private static String sentence(Json node) {
        String state = node.at("state").text();
        return state.startsWith("drain")
                ? "stays " + state + ", and takes nothing new already"
                : "cordoned";
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("nodes", id, "cordon"));
                    cliSession.tell(answer, id, id + ": " + sentence(answer));
                });
    }
}
