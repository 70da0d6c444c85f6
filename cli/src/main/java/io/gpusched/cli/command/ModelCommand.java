package io.gpusched.cli.command;

import io.gpusched.cli.args.NearestWord;
import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Printer;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Unreachable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Shows what the scheduler has learned about run times, or imports the export of another
/// scheduler.
final class ModelCommand implements CliCommand {
    private static final Option<String> IMPORT =
            Option.text(
                    "--import",
                    "FILE",
                    "Import a model that was exported with -o json; - reads standard input.");

    /// Runs exported for each kind and GPU model; more would hardly improve an estimate.
    private static final String EXPORTED_RUNS = "64";

    private static final int MOST_NAMES = 5;

    /// From this many seconds on, fractions are not shown.
    private static final BigDecimal LONG = BigDecimal.valueOf(120);

    private record Section(String title, String list, TableLayout tableLayout) {}

    private static final List<Section> SECTIONS =
            List.of(
                    new Section(
                            "Run times (from completed jobs and runs reported to" + " /v1/observe)",
                            "run_times",
                            runTimes()),
                    new Section(
                            "Slowdown by a neighbour on the same GPU",
                            "interference",
                            interference()),
                    new Section(
                            "Run times used by /v1/score (only runs reported to /v1/observe)",
                            "pairs",
                            pairs()),
                    new Section("Slowdowns used by /v1/score", "slowdowns", slowdowns()));

    @Override
    public Syntax syntax() {
        return Syntax.of("model", "Show, export or import the learned run times.")
                .with(IMPORT)
                .taking(Operand.atMostOne("KIND", "Show only this kind of job."))
                .examples(
                        "Examples:",
                        "  gpu-cli model train-bert",
                        "  gpu-cli model -o json > model.json",
                        "  gpu-cli model --import model.json");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        if (parsedArguments.has(IMPORT)) {
            return importModel(
                    cliSession,
                    JsonFiles.read("--import", parsedArguments.of(IMPORT), cliSession.in()));
        }
        String kind = parsedArguments.operand(0);
        ApiPath apiPath = ApiPath.to("model").with("job_type", kind);
        if (!cliSession.printer().isForPeople()) {
            apiPath = apiPath.with("runs", EXPORTED_RUNS);
        }
        Json answer = cliSession.ask(apiPath);
        if (!kind.isEmpty() && isEmpty(answer)) {
            return unknown(cliSession, kind);
        }
        show(cliSession.printer(), answer);
        return 0;
    }

    private static boolean isEmpty(Json answer) {
        return ModelParts.LISTS.stream().allMatch(list -> answer.at(list).items().isEmpty());
    }

    private static int unknown(CliSession cliSession, String kind) {
        cliSession
                .printer()
                .remark(
                        "gpu-cli: nothing has been learned about "
                                + kind
                                + ": no such job has completed, and no such run was reported");
        List<String> known = kinds(cliSession.ask(ApiPath.to("model")));
        if (!known.isEmpty()) {
            String which =
                    known.size() > MOST_NAMES ? "the nearest known kinds are " : "known kinds: ";
            String names = String.join(", ", NearestWord.first(kind, known, MOST_NAMES));
            cliSession.printer().remark("  hint:  " + which + names);
        }
        return 1;
    }

    private static List<String> kinds(Json answer) {
        return ModelParts.LISTS.stream()
                .flatMap(list -> answer.at(list).items().stream())
                .map(one -> one.at("job_type").text())
                .distinct()
                .toList();
    }

    private static void show(Printer printer, Json answer) {
        if (!printer.isForPeople()) {
            List<Json> names =
                    kinds(answer).stream().map(kind -> Json.of(Map.of("job_type", kind))).toList();
            printer.list(answer, names, new TableLayout(List.of("job_type"), List.of()));
            return;
        }
        if (isEmpty(answer)) {
            printer.line("Nothing has been learned yet: no job has completed.");
            return;
        }
        boolean more = false;
        for (Section section : SECTIONS) {
            List<Json> rows = answer.at(section.list).items();
            if (!rows.isEmpty()) {
                if (more) {
                    printer.line("");
                }
                printer.line(section.title);
                printer.list(answer, rows, section.tableLayout);
                more = true;
            }
        }
    }

    /// Imports a model in parts, because it may exceed the largest request. If a part is refused,
    /// the parts before it stay imported.
    private static int importModel(CliSession cliSession, Json document) {
        List<Json> parts = ModelParts.of(document);
        long[] sums = new long[ModelParts.LISTS.size()];
        for (int part = 0; part < parts.size(); part++) {
            Json answer = put(cliSession, parts, part);
            cliSession.warnings(answer);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += answer.at(ModelParts.LISTS.get(i)).number(0);
            }
        }
        var answer = new LinkedHashMap<String, Json>();
        for (int i = 0; i < sums.length; i++) {
            answer.put(ModelParts.LISTS.get(i), Json.of(sums[i]));
        }
        cliSession.report(
                new Json.Fields(answer),
                "model",
                ("Imported run times of %d pair%s of job kind and GPU model and %d slowdown%s by"
                                + " neighbours; for /v1/score %d and %d.")
                        .formatted(
                                sums[2],
                                sums[2] == 1 ? "" : "s",
                                sums[3],
                                sums[3] == 1 ? "" : "s",
                                sums[0],
                                sums[1]));
        return 0;
    }

    private static Json put(CliSession cliSession, List<Json> parts, int part) {
        try {
            return cliSession.rest().call("POST", ApiPath.to("model"), parts.get(part), Map.of());
        } catch (RequestRefused | Unreachable failure) {
            if (part > 0) {
                String why = failure instanceof RequestRefused ? "refused" : "not answered";
                cliSession
                        .printer()
                        .remark(
                                "%d of %d parts were imported before one was %s; correct the cause and"
                                                .formatted(part, parts.size(), why)
                                        + " import the whole file again: parts already imported are"
                                        + " replaced");
            }
            throw failure;
        }
    }

    private static TableLayout pairs() {
        return new TableLayout(
                List.of("job_type"),
                List.of(
                        Column.of("KIND", "job_type"),
                        Column.of("GPU", "gpu_type"),
                        Column.of("ESTIMATE", seconds("estimate_s")),
                        Column.of("UNCERTAINTY", seconds("uncertainty_s")),
                        Column.of("RUNS", "samples"),
                        Column.of("LAST CHANGE", one -> CellText.time(one.at("last_change"))),
                        Column.of("ALONE", one -> one.at("alone").at("samples").text()).onlyWide(),
                        Column.of("BESIDE OTHERS", one -> one.at("together").at("samples").text())
                                .onlyWide()));
    }

    private static TableLayout runTimes() {
        return new TableLayout(
                List.of("job_type"),
                List.of(
                        Column.of("KIND", "job_type"),
                        Column.of("GPU", "gpu_type"),
                        Column.of("ESTIMATE", seconds("estimate_s")),
                        Column.of("UNCERTAINTY", seconds("uncertainty_s")),
                        Column.of("RUNS", "samples"),
                        Column.of("LAST CHANGE", one -> CellText.time(one.at("last_change"))),
                        Column.of("DRIFTS", "drifts"),
                        Column.of("LAST DRIFT", one -> CellText.time(one.at("last_drift")))
                                .onlyWide()));
    }

    private static TableLayout interference() {
        return new TableLayout(
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

    private static TableLayout slowdowns() {
        return new TableLayout(
                List.of("neighbour"),
                List.of(
                        Column.of("KIND", "job_type"),
                        Column.of("NEIGHBOUR", "neighbour"),
                        Column.of("SLOWER BY", one -> rounded(one.at("slowdown"), 2) + " %"),
                        Column.of("RUNS", "samples"),
                        Column.of("LAST CHANGE", one -> CellText.time(one.at("last_change")))));
    }

    private static Function<Json, String> seconds(String field) {
        return one -> {
            Json number = one.at(field);
            return number instanceof Json.Num(String literal)
                            && new BigDecimal(literal).compareTo(LONG) >= 0
                    ? CellText.seconds(whole(literal))
                    : rounded(number, 0) + " s";
        };
    }

    private static Json whole(String literal) {
        return Json.of(new BigDecimal(literal).setScale(0, RoundingMode.HALF_EVEN));
    }

    /// Three significant digits, with the decimal point moved right by `places`.
    private static String rounded(Json number, int places) {
        return number instanceof Json.Num(String literal)
                ? new BigDecimal(literal)
                        .movePointRight(places)
                        .round(new MathContext(3, RoundingMode.HALF_EVEN))
                        .stripTrailingZeros()
                        .toPlainString()
                : "";
    }
}
