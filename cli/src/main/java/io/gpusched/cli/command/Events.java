package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;

/// Shows what has happened to a job, oldest first.
@Command(
        name = "events",
        description = "Show what has happened to a job.",
        footer = {"", "Example:", "  gpu-cli events job-7"})
public final class Events implements Action {
    @Parameters(paramLabel = "JOB", description = "Id of the job.")
    String id = "";

    @Override
    public int run(Session session) {
        var sheet =
                new Sheet(
                        List.of("at"),
                        List.of(
                                Column.of("AT", event -> Cells.time(event.at("at"))),
                                Column.of("KIND", "kind"),
                                Column.of("MESSAGE", "message")));
        Json answer = session.ask(Route.to("jobs", id, "events"));
        session.printer().list(answer, answer.at("events").items(), sheet);
        return 0;
    }
}
