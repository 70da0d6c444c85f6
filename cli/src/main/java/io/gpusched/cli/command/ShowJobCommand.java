package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;

/// Shows one job in detail.
final class ShowJobCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("get", "Show one job in detail.")
                .alsoCalled("show")
                .taking(Operand.one("JOB", "Id of the job."))
                .examples("Example:", "  gpu-cli get job-7 -o wide");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        cliSession.printer().detail(cliSession.job(parsedArguments.operand(0)), JobTables.detail());
        return 0;
    }
}
