package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Lets held jobs compete again.
@Command(
        name = "release",
        description = "Let held jobs start again.",
        footer = {"", "Example:", "  gpu-cli release job-7"})
public final class Release implements Action {
    @Parameters(paramLabel = "JOB", arity = "1..*", description = "Ids of the jobs.")
    List<String> ids = List.of();

    @Override
    public int run(Session session) {
        return session.forEach(
                ids,
                id -> {
                    Json answer = session.post(Route.to("jobs", id, "release"), Json.Nil.NIL);
                    session.tell(answer, id, id + ": released");
                });
    }
}
