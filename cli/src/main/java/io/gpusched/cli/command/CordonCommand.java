package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Cordons nodes: no new jobs start there, running jobs continue.
final class CordonCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("cordon", "Start no new jobs on nodes; running jobs continue.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli cordon node-3");
    }

    /// A node that is already draining stays so; it takes no new jobs either.
    private static String sentence(Json node) {
        String state = node.at("state").text();
        return state.startsWith("drain")
                ? "stays " + state + "; it already takes no new jobs"
                : "cordoned";
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("nodes", id, "cordon"));
                    cliSession.report(answer, id, id + ": " + sentence(answer));
                });
    }
}
