package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Removes tenants that have no jobs any more, and their tokens with them.
final class DeleteTenant implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("delete-tenant", "Remove tenants and their tokens.")
                .taking(Operand.several("TENANT", "Ids of the tenants."))
                .examples("Example:", "  gpu-cli delete-tenant team-a");
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.rest().call("DELETE", Route.to("tenants", id));
                    session.tell(answer, id, id + ": removed");
                });
    }
}
