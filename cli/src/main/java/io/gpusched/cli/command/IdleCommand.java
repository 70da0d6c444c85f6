package io.gpusched.cli.command;

import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/// Shows jobs that hold GPUs without using them, the largest waste first.
final class IdleCommand implements CliCommand {
    @Override
    public Syntax syntax() {
        return Syntax.of("idle", "List running jobs that do not use their GPUs.")
                .examples("Examples:", "  gpu-cli idle", "  gpu-cli idle -o wide");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        Json answer = cliSession.ask(ApiPath.to("idle"));
        cliSession.printer().list(answer, answer.at("jobs").items(), jobs());
        cliSession.printer().below(summary(answer));
        return 0;
    }

    private static TableLayout jobs() {
        return new TableLayout(
                List.of("job_id"),
                List.of(
                        Column.of("JOB", "job_id"),
                        Column.of("NAME", "name"),
                        Column.of("TENANT", "tenant_id"),
                        Column.of("IDLE GPUs", IdleCommand::share),
                        Column.of("IDLE FOR", job -> CellText.seconds(job.at("idle_seconds"))),
                        Column.of("USE", IdleCommand::use),
                        Column.of("WASTED", IdleCommand::hours),
                        Column.of("STOPS", IdleCommand::stops),
                        Column.of("NODE", "node_name"),
                        Column.of("SINCE", job -> CellText.time(job.at("idle_since"))).onlyWide(),
                        Column.of("DEVICES", "devices").onlyWide(),
                        Column.of("NOTE", "note").onlyWide()));
    }

    private static String share(Json job) {
        return CellText.share(job.at("idle_gpus"), job.at("gpus"));
    }

    private static String use(Json job) {
        Json percent = job.at("utilization");
        return percent.isNil() ? "" : rounded(percent, 0) + "%";
    }

    private static String hours(Json one) {
        return rounded(one.at("wasted_gpu_hours"), 1) + " GPU hours";
    }

    private static String stops(Json job) {
        return job.at("action").text().equals("stopping")
                ? "now"
                : job.at("stops_at").isNil() ? "" : CellText.time(job.at("stops_at"));
    }

    private static String summary(Json answer) {
        return answer.at("idle_gpus").text()
                + (answer.at("idle_gpus").text().equals("1") ? " GPU" : " GPUs")
                + " held and used less than "
                + answer.at("threshold_percent").text()
                + " % for "
                + CellText.seconds(answer.at("after_seconds"))
                + ", "
                + hours(answer)
                + " wasted";
    }

    private static String rounded(Json figure, int decimals) {
        try {
            return new BigDecimal(figure.text())
                    .setScale(decimals, RoundingMode.HALF_UP)
                    .toPlainString();
        } catch (NumberFormatException notANumber) {
            return figure.text();
        }
    }
}
