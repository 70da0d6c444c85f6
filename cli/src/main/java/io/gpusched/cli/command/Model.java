package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Shows what the scheduler has learned about run times, or puts in what another one has.
final class Model implements Action {
    private static final Option<String> IMPORT =
            Option.text(
                    "--import",
                    "FILE",
                    "Put in what was printed with -o json, - for standard input.");

    @Override
    public Syntax syntax() {
        return Syntax.of("model", "Show what was learned about run times, or import it.")
                .with(IMPORT)
                .taking(Operand.atMostOne("KIND", "Only of this kind of job."))
                .examples(
                        "Examples:",
                        "  gpu-cli model train-bert",
                        "  gpu-cli model -o json > model.json",
                        "  gpu-cli model --import model.json");
    }

    @Override
    public int run(Session session, Typed typed) {
        if (typed.has(IMPORT)) {
            return take(session, Documents.read("--import", typed.of(IMPORT), session.in()));
        }
        Json answer = session.ask(Route.to("model").with("job_type", typed.operand(0)));
        session.printer().list(answer, answer.at("pairs").items(), pairs());
        session.printer().also("Neighbours", answer.at("slowdowns").items(), slowdowns());
        session.printer().also("Own runs", answer.at("run_times").items(), runTimes());
        return 0;
    }

    private static int take(Session session, Json document) {
        Json answer = session.rest().call("POST", Route.to("model"), document, Map.of());
        session.tell(
                answer,
                "model",
                "Imported "
                        + answer.at("pairs").text()
                        + " pairs and "
                        + answer.at("slowdowns").text()
                        + " slowdowns.");
        return 0;
    }

    private static Sheet pairs() {
        return new Sheet(
                List.of("job_type"),
                List.of(
                        Column.of("KIND", "job_type"),
                        Column.of("GPU", "gpu_type"),
                        Column.of("ESTIMATE", seconds("estimate_s")),
                        Column.of("UNCERTAINTY", seconds("uncertainty_s")),
                        Column.of("RUNS", "samples"),
                        Column.of("LAST CHANGE", one -> Cells.time(one.at("last_change"))),
                        Column.of("ALONE", one -> one.at("alone").at("samples").text()).onlyWide(),
                        Column.of("BESIDE OTHERS", one -> one.at("together").at("samples").text())
                                .onlyWide()));
    }

    private static Sheet runTimes() {
        return new Sheet(
                List.of("job_type"),
                List.of(
                        Column.of("KIND", "job_type"),
                        Column.of("GPU", "gpu_type"),
                        Column.of("ESTIMATE", seconds("estimate_s")),
                        Column.of("UNCERTAINTY", seconds("uncertainty_s")),
                        Column.of("RUNS", "samples"),
                        Column.of("LAST CHANGE", one -> Cells.time(one.at("last_change"))),
                        Column.of("DRIFTS", "drifts")));
    }

    private static Sheet slowdowns() {
        return new Sheet(
                List.of("neighbour"),
                List.of(
                        Column.of("KIND", "job_type"),
                        Column.of("NEIGHBOUR", "neighbour"),
                        Column.of("SLOWER BY", one -> rounded(one.at("slowdown"), 2) + " %"),
                        Column.of("RUNS", "samples"),
                        Column.of("LAST CHANGE", one -> Cells.time(one.at("last_change")))));
    }

    private static Function<Json, String> seconds(String field) {
        return one -> rounded(one.at(field), 0) + " s";
    }

    /// With three decimals at most, moved to the right by `places`.
    private static String rounded(Json number, int places) {
        return number instanceof Json.Num(String literal)
                ? new BigDecimal(literal)
                        .movePointRight(places)
                        .setScale(3, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString()
                : "";
    }
}
