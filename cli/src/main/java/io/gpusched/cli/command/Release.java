package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Lets held jobs compete again.
final class Release implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("release", "Let held jobs start again.")
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples("Example:", "  gpu-cli release job-7");
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.post(Route.to("jobs", id, "release"));
                    session.tell(answer, id, id + ": released");
                });
    }
}
