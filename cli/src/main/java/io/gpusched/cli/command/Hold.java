package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Keeps waiting jobs where they are until they are released.
@Command(
        name = "hold",
        description = "Keep waiting jobs from starting.",
        footer = {"", "Example:", "  gpu-cli hold job-7"})
public final class Hold implements Action {
    @Parameters(paramLabel = "JOB", arity = "1..*", description = "Ids of the jobs.")
    List<String> ids = List.of();

    @Override
    public int run(Session session) {
        return session.forEach(
                ids,
                id -> {
                    Json answer = session.post(Route.to("jobs", id, "hold"), Json.Nil.NIL);
                    session.tell(answer, id, id + ": held; let it go with gpu-cli release " + id);
                });
    }
}
