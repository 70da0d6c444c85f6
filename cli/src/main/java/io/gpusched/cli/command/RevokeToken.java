package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Makes tokens worthless at once: one, or with `--all` all of a tenant's.
final class RevokeToken implements Action {
    private static final Option<Boolean> ALL = Option.flag("--all", "All tokens of the tenant.");

    @Override
    public Syntax syntax() {
        return Syntax.of("revoke-token", "Make a token worthless.")
                .with(TokenWords.AGENTS, ALL)
                .taking(
                        Operand.atMostOne("TENANT", "Id of the tenant."),
                        Operand.atMostOne("TOKEN_ID", "Id of the token."))
                .examples(
                        "Examples:",
                        "  gpu-cli revoke-token team-a tok-1",
                        "  gpu-cli revoke-token team-a --all",
                        "  gpu-cli revoke-token --agents tok-2");
    }

    @Override
    public int run(Session session, Typed typed) {
        TokenWords whose = TokenWords.of(typed);
        boolean all = typed.of(ALL);
        whose.refuseMoreThan(all ? 0 : 1, typed);
        String token = typed.operand(whose.next());
        if (!all && token.isEmpty()) {
            throw new Misuse("missing TOKEN_ID, or --all");
        }
        Json answer = session.rest().call("DELETE", all ? whose.all() : whose.one(token));
        session.tell(answer, token, all ? whose.written() + ": all revoked" : token + ": revoked");
        return 0;
    }
}
