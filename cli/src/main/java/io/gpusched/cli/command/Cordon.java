package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Keeps new work away from nodes; what runs there goes on.
final class Cordon implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("cordon", "Place nothing new on nodes.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli cordon node-3");
    }

    /// A node that is being emptied already stays so; it takes nothing new either.
    private static String sentence(Json node) {
        String state = node.at("state").text();
        return state.startsWith("drain")
                ? "stays " + state + ", and takes nothing new already"
                : "cordoned";
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.post(Route.to("nodes", id, "cordon"));
                    session.tell(answer, id, id + ": " + sentence(answer));
                });
    }
}
