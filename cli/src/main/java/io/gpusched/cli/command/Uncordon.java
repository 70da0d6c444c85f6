package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Gives cordoned or drained nodes back to the scheduler.
final class Uncordon implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("uncordon", "Use nodes again.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli uncordon node-3");
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.post(Route.to("nodes", id, "uncordon"));
                    session.tell(answer, id, id + ": in use again");
                });
    }
}
