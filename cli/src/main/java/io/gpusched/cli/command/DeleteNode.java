package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Forgets nodes that will not come back. Its agent must have been stopped; if it is started again,
/// the node joins anew.
final class DeleteNode implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("delete-node", "Forget nodes that will not come back.")
                .taking(Operand.several("NODE", "Ids of the nodes."))
                .examples("Example:", "  gpu-cli delete-node node-3");
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.rest().call("DELETE", Route.to("nodes", id));
                    session.tell(answer, id, id + ": removed");
                });
    }
}
