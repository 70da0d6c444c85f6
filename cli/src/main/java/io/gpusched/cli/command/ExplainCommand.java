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

/// Explains why a job waits and what would let it start, or why it was placed where it is.
final class ExplainCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("explain", "Explain why a job waits, or why it was placed where it is.")
                .alsoCalled("why")
                .taking(Operand.one("JOB", "Id of the job."))
                .examples("Example:", "  gpu-cli explain job-7");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        Json answer = cliSession.ask(ApiPath.to("jobs", parsedArguments.operand(0), "explain"));
        cliSession.printer().detail(answer, summary());
        ExplanationTables.print(answer, cliSession.printer());
        return 0;
    }

    private static TableLayout summary() {
        return new TableLayout(
                List.of("job_id"),
                List.of(
                        Column.of("Job ID", "job_id"),
                        Column.of("State", ExitStatus::stateOf),
                        Column.of("Reason", ExplainCommand::reason),
                        Column.of("Summary", "summary"),
                        Column.of("Preempted jobs", ExplainCommand::preempted),
                        Column.of("Idle", job -> CellText.time(job.at("idle_since"))),
                        Column.of("Last run", "last_failure"),
                        Column.of("Node", "node_name"),
                        Column.of("Devices", "allocated_gpus"),
                        Column.of("Position", ExplanationTables::position),
                        Column.of("Ordered by", ExplanationTables::orderedBy),
                        Column.of("Starts", JobTables::startRange),
                        Column.of("Reserved", ExplanationTables::reserved),
                        Column.of("Place", "place"),
                        Column.of("Deadline", job -> CellText.time(job.at("deadline"))),
                        Column.of("Capacity", DeadlineText::capacityAndReason),
                        Column.of("Slack", DeadlineText::slack),
                        Column.of("Expected cost", DeadlineText::costs),
                        Column.of("On demand", DeadlineText::latest)));
    }

    /// Empty where the summary is the same sentence.
    private static String reason(Json job) {
        String reason = job.at("reason").text();
        return reason.equals(job.at("summary").text()) ? "" : reason;
    }

    /// `2 jobs: job-3,job-5`: the jobs preempted so that this one could start. The server names
    /// only jobs that the caller may see.
    private static String preempted(Json job) {
        long count = job.at("preempted").number(0);
        String names = job.at("preempted_jobs").text();
        return count == 0
                ? ""
                : (count == 1 ? "1 job" : count + " jobs") + (names.isEmpty() ? "" : ": " + names);
    }
}
