package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Keeps new work away from nodes and moves what runs there elsewhere.
final class Drain implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("drain", "Move all work away from nodes.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli drain node-3");
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.post(Route.to("nodes", id, "drain"));
                    session.tell(answer, id, id + ": draining; watch it with gpu-cli nodes " + id);
                });
    }
}
