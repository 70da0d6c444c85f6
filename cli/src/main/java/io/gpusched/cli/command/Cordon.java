package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Keeps new work away from nodes; what runs there goes on.
@Command(
        name = "cordon",
        description = "Place nothing new on nodes.",
        footer = {"", "Example:", "  gpu-cli cordon node-3"})
public final class Cordon implements Action {
    @Parameters(paramLabel = "NODE", arity = "1..*", description = "Ids of the nodes.")
    List<String> ids = List.of();

    @Override
    public int run(Session session) {
        return session.forEach(
                ids,
                id -> {
                    Json answer = session.post(Route.to("nodes", id, "cordon"), Json.Nil.NIL);
                    session.tell(answer, id, id + ": cordoned");
                });
    }
}
