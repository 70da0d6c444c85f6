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

/// Answers the question people ask most: why is my job waiting, and what would change that? For a
/// job that was placed: what decided where.
final class Explain implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("explain", "Say why a job waits, or why it was placed where it is.")
                .alsoCalled("why")
                .taking(Operand.one("JOB", "Id of the job."))
                .examples("Example:", "  gpu-cli explain job-7");
    }

    @Override
    public int run(Session session, Typed typed) {
        Json answer = session.ask(Route.to("jobs", typed.operand(0), "explain"));
        session.printer().detail(answer, summary());
        ExplanationSheets.print(answer, session.printer());
        return 0;
    }

    private static Sheet summary() {
        return new Sheet(
                List.of("job_id"),
                List.of(
                        Column.of("Job ID", "job_id"),
                        Column.of("State", Ending::stateOf),
                        Column.of("Summary", "summary"),
                        Column.of("Reason", "reason"),
                        Column.of("Made way", Explain::preempted),
                        Column.of("Idle", job -> Cells.time(job.at("idle_since"))),
                        Column.of("Last run", "last_failure"),
                        Column.of("Node", "node_name"),
                        Column.of("Devices", "allocated_gpus"),
                        Column.of("Position", ExplanationSheets::position),
                        Column.of("Starts", JobSheets::startRange),
                        Column.of("Reserved", ExplanationSheets::reserved),
                        Column.of("Place", "place")));
    }

    /// `2 jobs: job-3,job-5`, stopped so that it could start; names only those that one may see.
    private static String preempted(Json job) {
        long count = job.at("preempted").number(0);
        String names = job.at("preempted_jobs").text();
        return count == 0
                ? ""
                : (count == 1 ? "1 job" : count + " jobs") + (names.isEmpty() ? "" : ": " + names);
    }
}
