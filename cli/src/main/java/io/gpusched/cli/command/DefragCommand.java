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

/// Shows which running jobs could move so that a waiting job could start. Nothing is moved.
final class DefragCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "defrag", "Show which moves of running jobs would let a waiting job start.")
                .taking(
                        Operand.atMostOne(
                                "JOB", "Id of a waiting job (default: the largest waiting job)."))
                .examples("Examples:", "  gpu-cli defrag", "  gpu-cli defrag job-17 -o json");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        Json answer = cliSession.ask(ApiPath.to("defrag").with("job", parsedArguments.operand(0)));
        cliSession.printer().detail(answer, summary());
        cliSession.printer().also("Moves", answer.at("moves").items(), moves());
        return 0;
    }

    private static TableLayout summary() {
        return new TableLayout(
                List.of("job_id"),
                List.of(
                        Column.of("Job ID", "job_id"),
                        Column.of("Summary", "summary"),
                        Column.of("Place", "place"),
                        Column.of("Lost work", a -> a.at("place").isNil() ? "" : lost(a))));
    }

    private static TableLayout moves() {
        return new TableLayout(
                List.of("job_id"),
                List.of(
                        Column.of("JOB", "job_id"),
                        Column.of("TENANT", "tenant_id"),
                        Column.of("FROM", "from"),
                        Column.of("TO", "to"),
                        Column.of("LOST WORK", DefragCommand::lost)));
    }

    /// GPU time that the job would have to repeat.
    private static String lost(Json one) {
        Json seconds = one.at("lost_gpu_seconds");
        return seconds.isNil() ? "" : CellText.seconds(seconds) + " of GPU time";
    }
}
