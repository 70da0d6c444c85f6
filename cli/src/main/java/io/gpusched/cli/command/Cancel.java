package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Cancels jobs, waiting or running.
@Command(
        name = "cancel",
        aliases = "scancel",
        description = "Cancel jobs.",
        footer = {"", "Example:", "  gpu-cli cancel job-7 job-8"})
public final class Cancel implements Action {
    @Parameters(paramLabel = "JOB", arity = "1..*", description = "Ids of the jobs.")
    List<String> ids = List.of();

    @Override
    public int run(Session session) {
        return session.forEach(
                ids,
                id -> {
                    Json answer = session.rest().call("DELETE", Route.to("jobs", id));
                    session.tell(answer, id, id + ": cancelled");
                });
    }
}
