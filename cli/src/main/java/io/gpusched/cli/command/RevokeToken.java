package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Makes a token worthless at once.
final class RevokeToken implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("revoke-token", "Make a token of a tenant worthless.")
                .taking(
                        Operand.one("TENANT", "Id of the tenant."),
                        Operand.one("TOKEN_ID", "Id of the token."))
                .examples("Example:", "  gpu-cli revoke-token team-a tok-1");
    }

    @Override
    public int run(Session session, Typed typed) {
        String tenant = typed.operand(0);
        String token = typed.operand(1);
        Json answer = session.rest().call("DELETE", Route.to("tenants", tenant, "tokens", token));
        session.tell(answer, token, token + ": revoked");
        return 0;
    }
}
