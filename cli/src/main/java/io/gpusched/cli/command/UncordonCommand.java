package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Makes cordoned or drained nodes schedulable again.
final class UncordonCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("uncordon", "Make cordoned or drained nodes schedulable again.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli uncordon node-3");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("nodes", id, "uncordon"));
                    cliSession.report(answer, id, id + ": schedulable again");
                });
    }
}
