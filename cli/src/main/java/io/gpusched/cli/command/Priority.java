package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.Map;

/// Gives a job another priority.
final class Priority implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("priority", "Change the priority of a job.")
                .taking(
                        Operand.one("JOB", "Id of the job."),
                        Operand.one("N", "The new priority; higher wins."))
                .examples("Example:", "  gpu-cli priority job-7 2000");
    }

    @Override
    public int run(Session session, Typed typed) {
        String id = typed.operand(0);
        var body = new Json.Fields(Map.of("priority", Json.of(number(typed.operand(1)))));
        Json answer = session.rest().call("PATCH", Route.to("jobs", id), body, Map.of());
        session.tell(answer, id, id + ": priority " + typed.operand(1));
        return 0;
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            throw new Misuse("N: expected a whole number, found '" + text + "'");
        }
    }
}
