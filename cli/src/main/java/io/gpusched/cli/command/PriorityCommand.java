package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;

import java.util.Map;

/// Changes the priority of a job.
final class PriorityCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("priority", "Change the priority of a job.")
                .taking(
                        Operand.one("JOB", "Id of the job."),
                        Operand.one("N", "New priority; higher runs first."))
                .examples("Example:", "  gpu-cli priority job-7 2000");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String id = parsedArguments.operand(0);
        var body = new Json.Fields(Map.of("priority", Json.of(number(parsedArguments.operand(1)))));
        Json answer = cliSession.rest().call("PATCH", ApiPath.to("jobs", id), body, Map.of());
        cliSession.report(answer, id, id + ": priority " + parsedArguments.operand(1));
        return 0;
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            throw new UsageError("N: expected a whole number, found '" + text + "'");
        }
    }
}
