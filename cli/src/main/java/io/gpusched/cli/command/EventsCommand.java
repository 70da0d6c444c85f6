package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;

/// Shows the history of a job or of the scheduler, oldest event first.
final class EventsCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("events", "Show the history of a job, or the changes of the policy.")
                .taking(Operand.atMostOne("JOB", "Id of the job (default: changes of the policy)."))
                .examples("Examples:", "  gpu-cli events job-7", "  gpu-cli events");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        var tableLayout =
                new TableLayout(
                        List.of("at"),
                        List.of(
                                Column.of("AT", event -> CellText.time(event.at("at"))),
                                Column.of("KIND", "kind"),
                                Column.of("MESSAGE", "message")));
        String job = parsedArguments.operand(0);
        ApiPath path = job.isEmpty() ? ApiPath.to("events") : ApiPath.to("jobs", job, "events");
        Json answer = cliSession.ask(path);
        cliSession.printer().list(answer, answer.at("events").items(), tableLayout);
        return 0;
    }
}
