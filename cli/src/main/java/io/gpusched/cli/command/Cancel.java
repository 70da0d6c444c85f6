package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Cancels jobs, waiting or running.
final class Cancel implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("cancel", "Cancel jobs.")
                .alsoCalled("scancel")
                .taking(Operand.several("JOB", "Ids of the jobs."))
                .examples("Example:", "  gpu-cli cancel job-7 job-8");
    }

    @Override
    public int run(Session session, Typed typed) {
        return session.forEach(
                typed.operands(),
                id -> {
                    Json answer = session.rest().call("DELETE", Route.to("jobs", id));
                    session.tell(answer, id, id + ": cancelled");
                });
    }
}
