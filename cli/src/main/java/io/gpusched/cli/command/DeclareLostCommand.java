package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Gives up the tasks of nodes whose cluster is silent. The scheduler never does that by itself,
/// because the tasks of a cluster run on without it.
final class DeclareLostCommand implements CliCommand {
    private static final Option<Boolean> AGENT =
            Option.flag("--agent", "All nodes of the agent of these nodes (default: only these).");

    @Override
    public Syntax syntax() {
        return Syntax.of("declare-lost", "Give up the tasks of nodes whose cluster is silent.")
                .with(AGENT)
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples(
                        "Examples:",
                        "  gpu-cli declare-lost node-3",
                        "  gpu-cli declare-lost node-3 --agent");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        boolean all = parsedArguments.of(AGENT);
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    ApiPath path = ApiPath.to("nodes", id, "lost");
                    Json answer = cliSession.post(all ? path.with("agent", "true") : path);
                    cliSession.report(answer, id, id + ": declared lost");
                });
    }
}
