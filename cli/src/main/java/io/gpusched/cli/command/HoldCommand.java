package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Holds waiting jobs: they do not start until they are released.
final class HoldCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("hold", "Hold waiting jobs: they do not start until released.")
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples("Example:", "  gpu-cli hold job-7");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("jobs", id, "hold"));
                    cliSession.report(
                            answer, id, id + ": held; release it with gpu-cli release " + id);
                });
    }
}
