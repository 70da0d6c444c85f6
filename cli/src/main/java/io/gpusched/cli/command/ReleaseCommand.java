package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Lets held jobs compete again.
final class ReleaseCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("release", "Let held jobs start again.")
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples("Example:", "  gpu-cli release job-7");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("jobs", id, "release"));
                    cliSession.tell(answer, id, id + ": released");
                });
    }
}
