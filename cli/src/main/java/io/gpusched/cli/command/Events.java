package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;

/// Shows what has happened to a job, oldest first.
final class Events implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("events", "Show what has happened to a job.")
                .taking(Operand.one("JOB", "Id of the job."))
                .examples("Example:", "  gpu-cli events job-7");
    }

    @Override
    public int run(Session session, Typed typed) {
        var sheet =
                new Sheet(
                        List.of("at"),
                        List.of(
                                Column.of("AT", event -> Cells.time(event.at("at"))),
                                Column.of("KIND", "kind"),
                                Column.of("MESSAGE", "message")));
        Json answer = session.ask(Route.to("jobs", typed.operand(0), "events"));
        session.printer().list(answer, answer.at("events").items(), sheet);
        return 0;
    }
}
