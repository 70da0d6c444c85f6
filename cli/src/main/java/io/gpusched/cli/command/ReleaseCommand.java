package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

/// Releases held jobs, so that the scheduler may start them.
final class ReleaseCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("release", "Release held jobs, so that they may start.")
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples("Example:", "  gpu-cli release job-7");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        return cliSession.forEach(
                parsedArguments.operands(),
                id -> {
                    Json answer = cliSession.post(ApiPath.to("jobs", id, "release"));
                    cliSession.report(answer, id, id + ": released");
                });
    }
}
