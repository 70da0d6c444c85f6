package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/// Shows who holds GPUs without using them, the largest waste first.
final class Idle implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("idle", "List jobs that hold GPUs and do not use them.")
                .examples("Examples:", "  gpu-cli idle", "  gpu-cli idle -o wide");
    }

    @Override
    public int run(Session session, Typed typed) {
        Json answer = session.ask(Route.to("idle"));
        session.printer().list(answer, answer.at("jobs").items(), jobs());
        session.printer().below(summary(answer));
        return 0;
    }

    private static Sheet jobs() {
        return new Sheet(
                List.of("job_id"),
                List.of(
                        Column.of("JOB", "job_id"),
                        Column.of("NAME", "name"),
                        Column.of("TENANT", "tenant_id"),
                        Column.of("IDLE GPUs", Idle::share),
                        Column.of("IDLE FOR", job -> Cells.seconds(job.at("idle_seconds"))),
                        Column.of("USE", Idle::use),
                        Column.of("WASTED", Idle::hours),
                        Column.of("STOPS", Idle::stops),
                        Column.of("NODE", "node_name"),
                        Column.of("SINCE", job -> Cells.time(job.at("idle_since"))).onlyWide(),
                        Column.of("DEVICES", "devices").onlyWide(),
                        Column.of("NOTE", "note").onlyWide()));
    }

    private static String share(Json job) {
        return Cells.share(job.at("idle_gpus"), job.at("gpus"));
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
                : job.at("stops_at").isNil() ? "" : Cells.time(job.at("stops_at"));
    }

    private static String summary(Json answer) {
        return answer.at("idle_gpus").text()
                + (answer.at("idle_gpus").text().equals("1") ? " GPU" : " GPUs")
                + " held and used less than "
                + answer.at("threshold_percent").text()
                + " % for "
                + Cells.seconds(answer.at("after_seconds"))
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
