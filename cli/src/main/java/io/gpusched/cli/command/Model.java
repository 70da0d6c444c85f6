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
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    /// Of each pair; more would make the file longer and the estimate hardly better.
    private static final String EXPORTED_RUNS = "64";

    private static final int PAIRS_PER_REQUEST = 40;

    private static final List<String> COUNTED =
            List.of("pairs", "slowdowns", "run_times", "interference");

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
        Route route = Route.to("model").with("job_type", typed.operand(0));
        boolean forPeople = session.printer().isForPeople();
        Json answer = session.ask(forPeople ? route : route.with("runs", EXPORTED_RUNS));
        session.printer().list(answer, answer.at("pairs").items(), pairs());
        session.printer().also("Neighbours", answer.at("slowdowns").items(), slowdowns());
        session.printer().also("Own runs", answer.at("run_times").items(), runTimes());
        session.printer().also("Beside others", answer.at("interference").items(), interference());
        return 0;
    }

    /// Sends the runs a few pairs at a time: all of them may be more than a request may hold.
    private static int take(Session session, Json document) {
        List<Json> own = document.at("run_times").items();
        var parts = new ArrayList<Json>();
        Json.Fields first = part(document, "pairs", "slowdowns", "interference");
        if (own.isEmpty() || !first.values().isEmpty()) {
            parts.add(first);
        }
        for (int from = 0; from < own.size(); from += PAIRS_PER_REQUEST) {
            List<Json> some = own.subList(from, Math.min(own.size(), from + PAIRS_PER_REQUEST));
            parts.add(new Json.Fields(Map.of("run_times", new Json.Items(some))));
        }
        long[] sums = new long[4];
        for (Json part : parts) {
            Json answer = session.rest().call("POST", Route.to("model"), part, Map.of());
            session.warnings(answer);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += answer.at(COUNTED.get(i)).number(0);
            }
        }
        var answer = new LinkedHashMap<String, Json>();
        for (int i = 0; i < sums.length; i++) {
            answer.put(COUNTED.get(i), Json.of(sums[i]));
        }
        session.tell(
                new Json.Fields(answer),
                "model",
                "Imported %d pairs, %d slowdowns, own runs of %d pairs, %d slowdowns beside others."
                        .formatted(sums[0], sums[1], sums[2], sums[3]));
        return 0;
    }

    private static Json.Fields part(Json document, String... names) {
        var part = new LinkedHashMap<String, Json>();
        for (String name : names) {
            Json found = document.at(name);
            if (!found.isNil()) {
                part.put(name, found);
            }
        }
        return new Json.Fields(part);
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
                        Column.of("DRIFTS", "drifts"),
                        Column.of("LAST DRIFT", one -> Cells.time(one.at("last_drift")))
                                .onlyWide()));
    }

    private static Sheet interference() {
        return new Sheet(
                List.of("neighbour"),
                List.of(
                        Column.of("KIND", "job_type"),
                        Column.of("NEIGHBOUR", "neighbour"),
                        Column.of("GPU", one -> gpu(one.at("gpu_type").text())),
                        Column.of("TAKES", one -> rounded(one.at("factor"), 0) + " times as long"),
                        Column.of("UNCERTAINTY", one -> rounded(one.at("uncertainty"), 2) + " %"),
                        Column.of("RUNS", "samples")));
    }

    private static String gpu(String name) {
        return name.isEmpty() ? "any" : name;
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
