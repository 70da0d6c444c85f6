package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Gives cordoned or drained nodes back to the scheduler.
@Command(
        name = "uncordon",
        description = "Use nodes again.",
        footer = {"", "Example:", "  gpu-cli uncordon node-3"})
public final class Uncordon implements Action {
    @Parameters(paramLabel = "NODE", arity = "1..*", description = "Ids of the nodes.")
    List<String> ids = List.of();

    @Override
    public int run(Session session) {
        return session.forEach(
                ids,
                id -> {
                    Json answer = session.post(Route.to("nodes", id, "uncordon"), Json.Nil.NIL);
                    session.tell(answer, id, id + ": in use again");
                });
    }
}
