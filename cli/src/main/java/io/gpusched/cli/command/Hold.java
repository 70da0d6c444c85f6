package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Keeps waiting jobs where they are until they are released.
final class Hold implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("hold", "Keep waiting jobs from starting.")
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples("Example:", "  gpu-cli hold job-7");
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.post(Route.to("jobs", id, "hold"));
                    session.tell(answer, id, id + ": held; let it go with gpu-cli release " + id);
                });
    }
}
