package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Printer;
import io.gpusched.cli.print.TableLayout;
import io.gpusched.cli.rest.ApiPath;

import java.util.List;
import java.util.Map;

/// Compares the shadow policy with the policy in force, or puts it in force.
final class ShadowCommand implements CliCommand {
    private static final String PROMOTE = "promote";
    private static final Option<Boolean> FORCE =
            Option.flag("--force", "Promote the policy even if it is not better, or not yet.");
    private static final Option<String> REASON =
            Option.text("--reason", "TEXT", "Why the policy is promoted, for the record.");

    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "shadow",
                        "Compare the shadow policy with the policy in force, or promote it.")
                .with(FORCE, REASON)
                .taking(
                        Operand.atMostOne(
                                PROMOTE, "The word promote, to put the shadow policy in force."))
                .examples(
                        "Examples:",
                        "  gpu-cli shadow",
                        "  gpu-cli shadow -o json",
                        "  gpu-cli shadow promote",
                        "  gpu-cli shadow promote --force --reason 'a test on Sunday'");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String action = parsedArguments.operand(0);
        if (action.equals(PROMOTE)) {
            return promote(cliSession, parsedArguments);
        }
        if (!action.isEmpty()) {
            throw new UsageError("expected promote, found '" + action + "'");
        }
        if (parsedArguments.has(FORCE) || parsedArguments.has(REASON)) {
            throw new UsageError("missing promote");
        }
        return compare(cliSession);
    }

    private static int promote(CliSession cliSession, ParsedArguments parsedArguments) {
        Json body =
                new RequestBody(parsedArguments).flag("force", FORCE).text("reason", REASON).json();
        Json answer = cliSession.rest().call("POST", ApiPath.to("shadow", PROMOTE), body, Map.of());
        String policy = answer.at("policy").text();
        cliSession.report(answer, policy, PolicyCommand.changed(answer, policy));
        return 0;
    }

    private static int compare(CliSession cliSession) {
        Printer printer = cliSession.printer();
        Json answer = cliSession.ask(ApiPath.to("shadow"));
        Json seen = answer.at("seen");
        Json live = seen.at("live");
        Json shadow = seen.at("shadow");
        if (answer.at("enabled").equals(Json.of(false))) {
            printer.list(answer, List.of(), ComparisonTable.tableLayout());
            printer.remark("there is no shadow policy: " + answer.at("hint").text());
            return 0;
        }
        printer.list(answer, ComparisonTable.rows(live, shadow), ComparisonTable.tableLayout());
        if (!answer.at("stopped").isNil()) {
            printer.remark("the shadow policy has stopped: " + answer.at("stopped").text());
        }
        if (!answer.at("last_resync").isNil()) {
            printer.remark(
                    "the shadow policy started again %s times; the last time because %s"
                            .formatted(
                                    answer.at("resyncs").text(), answer.at("last_resync").text()));
        }
        if (!seen.isNil()) {
            printer.below(
                    answer.at("policy").text()
                            + ", "
                            + CellText.seconds(seen.at("behind_seconds"))
                            + " behind: "
                            + ComparisonTable.summary(seen.at("starts"), live, shadow));
            printer.also(
                    "Difference per job, shadow minus live, with its 95 % interval",
                    differences(seen.at("differences")), differenceLayout());
        }
        return 0;
    }

    private static List<Json> differences(Json differences) {
        return differences.fields().entrySet().stream()
                .<Json>map(
                        entry ->
                                new Json.Fields(
                                        Map.of(
                                                "objective",
                                                Json.of(name(entry.getKey())),
                                                "interval",
                                                entry.getValue())))
                .toList();
    }

    /// `wait` for `wait_seconds`.
    private static String name(String field) {
        return field.replace("_seconds", "");
    }

    private static TableLayout differenceLayout() {
        return new TableLayout(
                List.of("objective"),
                List.of(
                        Column.of("OBJECTIVE", "objective"),
                        Column.of("JOBS", row -> row.at("interval").at("jobs").text()),
                        Column.of("MEAN", row -> amount(row, "mean")),
                        Column.of("FROM", row -> amount(row, "low")),
                        Column.of("TO", row -> amount(row, "high")),
                        Column.of("VERDICT", row -> row.at("interval").at("verdict").text())));
    }

    private static String amount(Json row, String field) {
        Json value = row.at("interval").at(field);
        if (value.isNil()) {
            return "";
        }
        String unit = row.at("objective").text().equals("slowdown") ? "" : "s";
        return ComparisonTable.rounded(value) + unit;
    }
}
