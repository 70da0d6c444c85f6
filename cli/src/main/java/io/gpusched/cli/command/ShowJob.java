package io.gpusched.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Shows one job with everything the scheduler says about it.
@Command(
        name = "get",
        aliases = "show",
        description = "Show one job.",
        footer = {"", "Example:", "  gpu-cli get job-7 -o wide"})
public final class ShowJob implements Action {
    @Parameters(paramLabel = "JOB", description = "Id of the job.")
    String id = "";

    @Override
    public int run(Session session) {
        session.printer().detail(session.job(id), JobSheets.detail());
        return 0;
    }
}
