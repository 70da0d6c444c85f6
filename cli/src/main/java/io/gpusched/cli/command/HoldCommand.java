package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Keeps waiting jobs where they are until they are released.
final class HoldCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("hold", "Keep waiting jobs from starting.")
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples("Example:", "  gpu-cli hold job-7");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("jobs", id, "hold"));
                    cliSession.tell(
                            answer, id, id + ": held; let it go with gpu-cli release " + id);
                });
    }
}
