package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;

/// Shows what happened: the history of a job, or the newest events of the cluster. With `--follow`
/// it prints events as they happen.
final class EventsCommand implements CliCommand {
    private static final Option<Boolean> FOLLOW =
            Option.flag("-f --follow", "Print events as they happen, until interrupted.");
    private static final Option<List<String>> TENANT =
            Option.texts("--tenant", "ID", "Only events of this tenant; several: a,b.");
    private static final Option<List<String>> JOB =
            Option.texts("--job", "JOB", "Only events of this job; several: job-7,job-8.");
    private static final Option<List<String>> NODE =
            Option.texts("--node", "NODE", "Only events that name this node; several: n1,n2.");
    private static final Option<List<String>> KIND =
            Option.texts("--kind", "KIND", "Only events of this kind; several: failed,node_lost.");
    private static final Option<Long> LIMIT =
            Option.whole("--limit", "N", "Without --follow: the last N events (default: 100).");

    @Override
    public Syntax syntax() {
        return Syntax.of("events", "Show what happened to a job or in the cluster, or follow it.")
                .with(FOLLOW, TENANT, JOB, NODE, KIND, LIMIT)
                .taking(Operand.atMostOne("JOB", "Id of the job (default: the whole cluster)."))
                .examples(
                        "Examples:",
                        "  gpu-cli events job-7",
                        "  gpu-cli events --limit 20",
                        "  gpu-cli events --follow --kind failed,node_lost",
                        "  gpu-cli events --follow --tenant team-a -o json | jq .message");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        ApiPath events =
                ApiPath.to("events")
                        .with("tenant", all(parsedArguments, TENANT))
                        .with("job", jobs(parsedArguments))
                        .with("node", all(parsedArguments, NODE))
                        .with("kind", all(parsedArguments, KIND));
        if (parsedArguments.of(FOLLOW)) {
            checkJob(cliSession, parsedArguments.operand(0));
            return new EventFollower(cliSession, events).run();
        }
        String job = parsedArguments.operand(0);
        boolean isFiltered =
                parsedArguments.has(TENANT)
                        || parsedArguments.has(JOB)
                        || parsedArguments.has(NODE)
                        || parsedArguments.has(KIND)
                        || parsedArguments.has(LIMIT);
        if (!job.isEmpty() && !isFiltered) {
            show(cliSession, cliSession.ask(ApiPath.to("jobs", job, "events")), OF_A_JOB);
        } else {
            String limit = parsedArguments.has(LIMIT) ? parsedArguments.of(LIMIT).toString() : "";
            show(cliSession, cliSession.ask(events.with("limit", limit)), OF_ALL);
        }
        return 0;
    }

    /// A stream of a job that does not exist would be silent for ever.
    private static void checkJob(CliSession cliSession, String job) {
        if (!job.isEmpty()) {
            cliSession.ask(ApiPath.to("jobs", job));
        }
    }

    private static String jobs(ParsedArguments parsedArguments) {
        String job = parsedArguments.operand(0);
        return job.isEmpty() ? all(parsedArguments, JOB) : job;
    }

    private static String all(ParsedArguments parsedArguments, Option<List<String>> option) {
        return String.join(",", parsedArguments.of(option));
    }

    private static final TableLayout OF_A_JOB =
            new TableLayout(
                    List.of("at"),
                    List.of(
                            Column.of("AT", event -> CellText.time(event.at("at"))),
                            Column.of("KIND", "kind"),
                            Column.of("MESSAGE", "message")));

    private static final TableLayout OF_ALL =
            new TableLayout(
                    List.of("id"),
                    List.of(
                            Column.of("AT", event -> CellText.time(event.at("at"))),
                            Column.of("KIND", "kind"),
                            Column.of("ABOUT", EventsCommand::about),
                            Column.of("MESSAGE", "message")));

    private static void show(CliSession cliSession, Json answer, TableLayout tableLayout) {
        cliSession.printer().list(answer, answer.at("events").items(), tableLayout);
    }

    /// What the event is about: a job, else a node, else a tenant.
    static String about(Json event) {
        String about = event.firstOf("job_id", "node_id", "tenant_id").text();
        return about.isEmpty() ? "-" : about;
    }
}
