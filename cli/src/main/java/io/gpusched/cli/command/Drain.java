package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Keeps new work away from nodes and moves what runs there elsewhere.
@Command(
        name = "drain",
        description = "Move all work away from nodes.",
        footer = {"", "Example:", "  gpu-cli drain node-3"})
public final class Drain implements Action {
    @Parameters(paramLabel = "NODE", arity = "1..*", description = "Ids of the nodes.")
    List<String> ids = List.of();

    @Override
    public int run(Session session) {
        return session.forEach(
                ids,
                id -> {
                    Json answer = session.post(Route.to("nodes", id, "drain"), Json.Nil.NIL);
                    session.tell(answer, id, id + ": draining; watch it with gpu-cli nodes " + id);
                });
    }
}
