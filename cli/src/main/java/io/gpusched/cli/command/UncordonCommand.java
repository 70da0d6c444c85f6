package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Gives cordoned or drained nodes back to the scheduler.
final class UncordonCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("uncordon", "Use nodes again.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli uncordon node-3");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("nodes", id, "uncordon"));
                    cliSession.tell(answer, id, id + ": in use again");
                });
    }
}
